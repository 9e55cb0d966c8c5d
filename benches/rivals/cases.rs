//! What is measured: a game file with its question, and the programs that answer the same.

/// A question to the tool and the rivals that answer it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The arguments of the tool; the second one is a game file, one that ends with `.jsonl` a file of cases made here.
    pub(crate) command: &'static [&'static str],
    pub(crate) rivals: &'static [Rival],
    /// The game file is one of the folder `games` of the project and not of `benches/games`.
    pub(crate) collected: bool,
    /// Runs of every program, of which the best counts.
    pub(crate) runs: usize,
    /// Takes many gigabytes: only with `--big`.
    pub(crate) big: bool,
    /// Positions of the game, where the tool's answer does not count them.
    pub(crate) positions: Option<u64>,
}

/// A program of `benches/rivals` and its arguments.
pub(crate) struct Rival {
    pub(crate) source: &'static str,
    pub(crate) arguments: &'static [&'static str],
    /// Compiled to read by `std::ifstream` and `>>`, and not by a scanner of its own.
    pub(crate) streams: bool,
}

impl Rival {
    /// What it is called in the tables.
    pub(crate) fn name(&self) -> String {
        if self.streams { format!("{}, by >>", self.source) } else { self.source.to_string() }
    }

    /// The command that runs it.
    pub(crate) fn command(&self, program: &str) -> Vec<String> {
        std::iter::once(program).chain(self.arguments.iter().copied()).map(String::from).collect()
    }
}

/// What most cases have in common.
const PLAIN: Case =
    Case { name: "", command: &[], rivals: &[], collected: false, runs: 3, big: false, positions: None };

const fn rival(source: &'static str, arguments: &'static [&'static str]) -> Rival {
    Rival { source, arguments, streams: false }
}

/// The same program with the straightforward way to read.
const fn stream(source: &'static str, arguments: &'static [&'static str]) -> Rival {
    Rival { source, arguments, streams: true }
}

/// A closed form on large inputs: the tool and its rival read the same file of cases.
const fn large(name: &'static str, command: &'static [&'static str], rivals: &'static [Rival]) -> Case {
    Case { name, command, rivals, collected: true, ..PLAIN }
}

/// Every case, in the order run.
pub(crate) const ALL: &[Case] = &[
    Case { name: "start-up", command: &["solve", "start.game"], rivals: &[rival("start", &[])], runs: 20, ..PLAIN },
    Case {
        name: "coupled heaps 200^3",
        command: &["solve", "coupled.game", "n=200"],
        rivals: &[rival("coupled_dense", &["200"]), rival("coupled_map", &["200"])],
        ..PLAIN
    },
    Case {
        name: "coupled heaps 300^3",
        command: &["solve", "coupled.game", "n=300"],
        rivals: &[rival("coupled_dense", &["300"]), rival("coupled_map", &["300"])],
        ..PLAIN
    },
    Case {
        name: "coupled heaps 300^3, two threads",
        command: &["solve", "coupled.game", "n=300", "--threads", "2"],
        rivals: &[rival("coupled_dense", &["300"])],
        ..PLAIN
    },
    Case {
        name: "coupled heaps 1000^3",
        command: &["solve", "coupled.game", "n=1000", "--memory", "20G"],
        rivals: &[rival("coupled_dense", &["1000"])],
        runs: 1,
        big: true,
        ..PLAIN
    },
    Case {
        name: "annihilation on 22 vertices",
        command: &["solve", "annihilation.game", "n=22"],
        rivals: &[rival("annihilation_dense", &["22"]), rival("annihilation_map", &["22"])],
        ..PLAIN
    },
    Case {
        name: "Wythoff 1000 x 1000",
        command: &["solve", "wythoff.game", "n=1000", "--exhaustive"],
        rivals: &[rival("wythoff_loop", &["1000"]), rival("wythoff_mark", &["1000"])],
        ..PLAIN
    },
    Case {
        name: "Wythoff 3000 x 3000",
        command: &["solve", "wythoff.game", "n=3000", "--exhaustive"],
        rivals: &[rival("wythoff_loop", &["3000"]), rival("wythoff_mark", &["3000"])],
        ..PLAIN
    },
    Case {
        name: "Chomp 7 x 9",
        command: &["solve", "chomp.game", "rows=7", "columns=9"],
        rivals: &[rival("chomp", &["7", "9"])],
        runs: 5,
        ..PLAIN
    },
    Case {
        name: "Chomp 10 x 12",
        command: &["solve", "chomp.game", "rows=10", "columns=12"],
        rivals: &[rival("chomp", &["10", "12"])],
        ..PLAIN
    },
    Case {
        name: "Turning Turtles, 22 coins",
        command: &["solve", "turtles.game", "coins=22"],
        rivals: &[rival("turtles", &["22"])],
        ..PLAIN
    },
    Case {
        name: "Welter, 6 coins up to 27",
        command: &["solve", "welter.game", "coins=6"],
        rivals: &[rival("welter", &["6"])],
        ..PLAIN
    },
    Case {
        name: "Cram 5 x 6",
        command: &["solve", "cram.game", "rows=5", "columns=6"],
        rivals: &[rival("cram", &["5", "6"]), rival("cram_outcome", &["5", "6"])],
        ..PLAIN
    },
    Case {
        name: "Cram 5 x 7",
        command: &["solve", "cram.game", "rows=5", "columns=7"],
        rivals: &[rival("cram", &["5", "7"]), rival("cram_outcome", &["5", "7"])],
        ..PLAIN
    },
    Case {
        name: "Node Kayles 6 x 6",
        command: &["solve", "node_kayles.game", "n=6"],
        rivals: &[rival("node_kayles", &["6"])],
        ..PLAIN
    },
    Case {
        name: "Node Kayles 7 x 7",
        command: &["solve", "node_kayles.game", "n=7"],
        rivals: &[rival("node_kayles", &["7"])],
        ..PLAIN
    },
    Case {
        name: "token on 10^6 vertices, 10^7 arcs",
        command: &["solve", "token.game", "start=442697"],
        rivals: &[rival("token", &["digraph.txt", "442697"])],
        ..PLAIN
    },
    Case {
        name: "token on a digraph without cycles, 10^6 vertices",
        command: &["solve", "token_dag.game", "start=0"],
        rivals: &[rival("token", &["dag.txt", "0"])],
        ..PLAIN
    },
    Case {
        name: "misere Kayles 1..40",
        command: &["table", "misere_kayles.game"],
        rivals: &[rival("misere_kayles", &["40"])],
        positions: Some(40),
        ..PLAIN
    },
    Case {
        name: "sparse, one thread",
        command: &["solve", "sparse.game", "--threads", "1"],
        rivals: &[rival("sparse_map", &["1000000"]), rival("sparse_table", &["1000000"])],
        ..PLAIN
    },
    Case {
        name: "sparse, two threads",
        command: &["solve", "sparse.game", "--threads", "2"],
        rivals: &[rival("sparse_table", &["1000000"])],
        ..PLAIN
    },
    Case {
        name: "sparse, fields alike",
        command: &["solve", "sparse_alike.game", "--threads", "1"],
        rivals: &[rival("sparse_table", &["1000000", "all"])],
        ..PLAIN
    },
    Case {
        name: "area, one thread",
        command: &["solve", "area.game", "--threads", "1"],
        rivals: &[rival("area_table", &["60"])],
        ..PLAIN
    },
    Case {
        name: "area, two threads",
        command: &["solve", "area.game", "--threads", "2"],
        rivals: &[rival("area_table", &["60"])],
        ..PLAIN
    },
    Case {
        name: "five sorted heaps of 36",
        command: &["solve", "sorted.game", "--threads", "1"],
        rivals: &[rival("sorted_dense", &["36"]), rival("sorted_map", &["36"])],
        ..PLAIN
    },
    Case {
        name: "three tokens that are alike, 250 vertices",
        command: &["solve", "tokens.game"],
        rivals: &[rival("tokens", &[])],
        ..PLAIN
    },
    Case {
        name: "asks another game, 1001 x 1000",
        command: &["solve", "asks.game", "--threads", "1"],
        rivals: &[rival("asks", &["1000"])],
        ..PLAIN
    },
    Case {
        name: "lit vertices by lists, 22",
        command: &["solve", "lit.game", "--threads", "1"],
        rivals: &[rival("lit", &["22"])],
        ..PLAIN
    },
    Case {
        name: "knight 1500 x 1500",
        command: &["solve", "knight.game", "--threads", "1"],
        rivals: &[rival("knight", &["1500"])],
        ..PLAIN
    },
    Case {
        name: "divisors 1000 x 1000",
        command: &["solve", "divisors.game", "--threads", "1"],
        rivals: &[rival("divisors", &["1000"])],
        ..PLAIN
    },
    Case {
        name: "a bag of heaps that grows and shrinks",
        command: &["solve", "bag.game", "--threads", "1"],
        rivals: &[rival("bag_map", &["16"])],
        ..PLAIN
    },
    Case {
        name: "rectangles in a bag that are cut",
        command: &["solve", "cut.game", "--threads", "1"],
        rivals: &[rival("cut_map", &[])],
        ..PLAIN
    },
    Case {
        name: "a text whose letters go",
        command: &["solve", "letters.game", "--threads", "1"],
        rivals: &[rival("letters_map", &["abcabbcabcaabcbbabcabca"])],
        ..PLAIN
    },
    Case {
        name: "dots and boxes 2 x 4",
        command: &["solve", "dots.game", "--threads", "1"],
        rivals: &[rival("dots", &["2", "4"])],
        ..PLAIN
    },
    Case {
        name: "Notakto 4 x 5 as a grid",
        command: &["solve", "notakto_grid.game", "--threads", "1"],
        rivals: &[rival("notakto", &[])],
        ..PLAIN
    },
    Case {
        name: "10^6 numbers read",
        command: &["run", "read.game", "--input", "numbers.txt"],
        rivals: &[rival("read", &["numbers.txt"])],
        runs: 20,
        ..PLAIN
    },
    large(
        "flip, 15 x 10^5 vertices",
        &["solve", "flip.game", "--moves", "1", "--cases", "flip.jsonl"],
        &[rival("flip", &["flip.jsonl"]), stream("flip", &["flip.jsonl"])],
    ),
    large(
        "Hackenbush, 10^6 edges, tree",
        &["solve", "hackenbush.game", "--moves", "1", "--cases", "hackenbush_tree.jsonl"],
        &[rival("hackenbush", &["hackenbush_tree.jsonl"]), stream("hackenbush", &["hackenbush_tree.jsonl"])],
    ),
    large(
        "Hackenbush, 10^6 edges, dense",
        &["solve", "hackenbush.game", "--moves", "1", "--cases", "hackenbush_dense.jsonl"],
        &[rival("hackenbush", &["hackenbush_dense.jsonl"]), stream("hackenbush", &["hackenbush_dense.jsonl"])],
    ),
    large(
        "Hackenbush, 10^6 edges, path",
        &["solve", "hackenbush.game", "--moves", "1", "--cases", "hackenbush_path.jsonl"],
        &[rival("hackenbush", &["hackenbush_path.jsonl"]), stream("hackenbush", &["hackenbush_path.jsonl"])],
    ),
    large(
        "Hackenbush, 10^6 edges, cactus",
        &["solve", "hackenbush.game", "--moves", "1", "--cases", "hackenbush_cactus.jsonl"],
        &[rival("hackenbush", &["hackenbush_cactus.jsonl"]), stream("hackenbush", &["hackenbush_cactus.jsonl"])],
    ),
    large(
        "grid geography 1000 x 1000, 0 % blocked",
        &["solve", "geography_grid.game", "--moves", "1", "--cases", "grid_0.jsonl"],
        &[rival("geography", &["grid_0.jsonl"]), stream("geography", &["grid_0.jsonl"])],
    ),
    large(
        "grid geography 1000 x 1000, 2 % blocked",
        &["solve", "geography_grid.game", "--moves", "1", "--cases", "grid_2.jsonl"],
        &[rival("geography", &["grid_2.jsonl"]), stream("geography", &["grid_2.jsonl"])],
    ),
    large(
        "grid geography 1000 x 1000, 10 % blocked",
        &["solve", "geography_grid.game", "--moves", "1", "--cases", "grid_10.jsonl"],
        &[rival("geography", &["grid_10.jsonl"]), stream("geography", &["grid_10.jsonl"])],
    ),
    large(
        "grid geography 1000 x 1000, 30 % blocked",
        &["solve", "geography_grid.game", "--moves", "1", "--cases", "grid_30.jsonl"],
        &[rival("geography", &["grid_30.jsonl"]), stream("geography", &["grid_30.jsonl"])],
    ),
    large(
        "grid geography 1000 x 1000, 50 % blocked",
        &["solve", "geography_grid.game", "--moves", "1", "--cases", "grid_50.jsonl"],
        &[rival("geography", &["grid_50.jsonl"]), stream("geography", &["grid_50.jsonl"])],
    ),
    large(
        "Nim, 10^6 heaps",
        &["solve", "nim.game", "--moves", "1", "--cases", "nim.jsonl"],
        &[rival("nim_large", &["nim.jsonl"]), stream("nim_large", &["nim.jsonl"])],
    ),
    large(
        "Wythoff, 3800 pairs around 10^18",
        &["solve", "wythoff.game", "--moves", "1", "--cases", "wythoff.jsonl"],
        &[rival("wythoff_large", &["wythoff.jsonl"]), stream("wythoff_large", &["wythoff.jsonl"])],
    ),
];
