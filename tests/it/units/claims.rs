//! What claims are tested on.

mod domain {
    use grundy::claims::domain::with_loops;
    use grundy::model::{Builtin, GraphWord};
    use grundy::value::Value;
    use grundy::words;

    fn count(word: GraphWord, builtin: Builtin, n: i64) -> usize {
        let Ok(Value::List(all)) = words::call(builtin, &[Value::Int(n)]) else { panic!("a list") };
        let mut count = 0;
        for graph in all.items.iter() {
            let Value::Graph(graph) = graph else { panic!("a graph") };
            assert_eq!(graph.word, word);
            for loops in 0..=graph.vertices.len() {
                let _ = with_loops(graph, loops, &mut |_| {
                    count += 1;
                    Ok(())
                });
            }
        }
        count
    }

    /// Graphs with loops: OEIS A000666; digraphs with loops, the relations: A000595.
    #[test]
    fn as_many_with_loops_as_there_are() {
        let graphs: Vec<usize> = (0..7).map(|n| count(GraphWord::Graph, Builtin::Graphs, n)).collect();
        assert_eq!(graphs, [1, 2, 6, 20, 90, 544, 5096]);
        let digraphs: Vec<usize> = (0..5).map(|n| count(GraphWord::Digraph, Builtin::Digraphs, n)).collect();
        assert_eq!(digraphs, [1, 2, 10, 104, 3044]);
    }
}
