//! Strongly connected components (Tarjan 1972), without recursion.

/// The component of each node and the size of each component. O(nodes + edges).
pub(crate) fn components(edges: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    const NEW: usize = usize::MAX;
    let n = edges.len();
    let (mut order, mut low, mut component) = (vec![NEW; n], vec![0; n], vec![NEW; n]);
    let (mut stack, mut sizes, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if order[root] != NEW {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            if *next == 0 && order[node] == NEW {
                order[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node);
            }
            if let Some(&to) = edges[node].get(*next) {
                *next += 1;
                if order[to] == NEW {
                    path.push((to, 0));
                } else if component[to] == NEW {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above] = low[above].min(low[node]);
            }
            if low[node] == order[node] {
                let mut size = 0;
                while let Some(member) = stack.pop() {
                    component[member] = sizes.len();
                    size += 1;
                    if member == node {
                        break;
                    }
                }
                sizes.push(size);
            }
        }
    }
    (component, sizes)
}

#[cfg(test)]
mod tests {
    use crate::typing::scc::components;

    #[test]
    fn a_circle_is_one_component() {
        let (component, sizes) = components(&[vec![1], vec![2], vec![1, 3], vec![]]);
        assert_eq!(component[1], component[2]);
        assert_ne!(component[0], component[1]);
        assert_ne!(component[3], component[1]);
        assert_eq!(sizes[component[1]], 2);
    }
}
