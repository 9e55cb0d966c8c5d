//! Names that a user may have meant.

mod names {
    use grundy::source::nearest::{distance, nearest};

    /// The whole matrix, as the definition has it.
    fn whole(a: &[char], b: &[char]) -> usize {
        let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                d[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let cost = usize::from(a[i - 1] != b[j - 1]);
                    (d[i - 1][j - 1] + cost).min(d[i - 1][j] + 1).min(d[i][j - 1] + 1)
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    d[i][j] = d[i][j].min(d[i - 2][j - 2] + 1);
                }
            }
        }
        d[a.len()][b.len()]
    }

    #[test]
    fn the_nearest_name_is_the_one_a_user_meant() {
        assert_eq!(nearest("heasp", ["heaps", "steps"]), Some("heaps"));
        assert_eq!(nearest("N", ["n", "m"]), Some("n"));
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("neighbors", ["neighbours", "successors"]), Some("neighbours"));
        assert_eq!(nearest("frobnicate", ["size", "sum"]), None);
    }

    #[test]
    fn names_of_any_length_cost_little() {
        let long = "x".repeat(1 << 20);
        let longer = format!("{long}y");
        assert_eq!(nearest(&longer, [&*long]), None);
        assert_eq!(nearest("heasp", std::iter::repeat_n(&*long, 10_000).chain(["heaps"])), Some("heaps"));
    }

    #[test]
    fn the_band_is_the_matrix_where_it_counts() {
        let words: Vec<Vec<char>> = (0..3_u32.pow(5))
            .map(|n| (0..n % 6).map(|at| ['a', 'b', 'c'][usize::try_from(n / 3_u32.pow(at) % 3).unwrap()]).collect())
            .chain(
                ["neighbours", "neighbors", "nieghbours", "Nachbarn"].map(|word| word.to_lowercase().chars().collect()),
            )
            .collect();
        for a in &words {
            for b in &words {
                for limit in 1..=3 {
                    assert_eq!(distance(a, b, limit), Some(whole(a, b)).filter(|&d| d <= limit), "{a:?} {b:?} {limit}");
                }
            }
        }
    }
}
