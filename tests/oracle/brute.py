"""The 26 games by their rules in words, searched without any formula: writes games.json.

Each game: `start state, moves, and what else differs from normal play`. States are joint states of the whole position, so
that nothing rests on the theory of sums. `python3 brute.py` rewrites games.json (deterministic).
"""
import itertools
import os
import random
from search import Game, dump, move

GAMES, CASES = {}, {}


def game(f):
    GAMES[f.__name__] = f
    return f


def put(xs, i, x):
    return xs[:i] + (x,) + xs[i + 1:]


# ---------------------------------------------------------------- one heap
@game
def bash(n, m):
    return Game(n, lambda n: [(move("take", k=k), ("to", n - k)) for k in range(1, m + 1) if k <= n])


@game
def bash_misere(n, m):
    return Game(n, lambda n: [(move("take", k=k), ("to", n - k)) for k in range(1, m + 1) if k <= n], misere=True)


@game
def bash_counting(n, m):
    # who says n wins: after n nothing can be said, and the other one is to move
    return Game(0, lambda said: [(move("say", x=x), ("to", x)) for x in range(said + 1, said + m + 1) if x <= n])


@game
def bash_range(n, a, b):
    return Game(n, lambda n: [(move("take", k=k), ("to", n - k)) for k in range(a, b + 1) if k <= n])


@game
def bash_range_rest(n, a, b):
    def moves(n):
        out = [(move("take", k=k), ("to", n - k)) for k in range(a, b + 1) if k <= n]
        if 0 < n < a:
            out.append((move("rest"), ("to", 0)))
        return out
    return Game(n, moves)


def fibonacci_moves(s):
    n, most = s
    return [(move("take", k=k), ("to", (n - k, 2 * k))) for k in range(1, n + 1) if k <= most]


@game
def fibonacci(n):
    return Game((n, n - 1), fibonacci_moves)


@game
def fibonacci_position(stones, limit):
    return Game((stones, limit), fibonacci_moves)


@game
def wythoff(a, b):
    def moves(s):
        a, b = s
        out = [(move("left", k=k), ("to", (a - k, b))) for k in range(1, a + 1)]
        out += [(move("right", k=k), ("to", (a, b - k))) for k in range(1, b + 1)]
        return out + [(move("both", k=k), ("to", (a - k, b - k))) for k in range(1, min(a, b) + 1)]
    return Game((a, b), moves)


# ---------------------------------------------------------------- several heaps
@game
def nim(heaps):
    def moves(s):
        return [(move("take", i, k=k), ("to", put(s, i, s[i] - k))) for i in range(len(s)) for k in range(1, s[i] + 1)]
    return Game(tuple(heaps), moves)


@game
def nim_misere(heaps):
    def moves(s):
        return [(move("take", i=i, k=k), ("to", put(s, i, s[i] - k))) for i in range(len(s)) for k in range(1, s[i] + 1)]
    return Game(tuple(heaps), moves, misere=True)


@game
def nim_set(heaps, t):
    def moves(s):
        return [(move("take", i, x=x), ("to", put(s, i, s[i] - x))) for i in range(len(s)) for x in sorted(t) if x <= s[i]]
    return Game(tuple(heaps), moves)


def moore_moves(k, distinct):
    def moves(s):
        out = []
        for amounts in itertools.product(*[range(h, -1, -1) for h in s]):
            taken = [x for x in amounts if x]
            if 1 <= len(taken) <= k and (not distinct or len(set(taken)) == len(taken)):
                left = tuple(h - x for h, x in zip(s, amounts))
                out.append((move("reduce", next=list(left)), ("to", left)))
        return out
    return moves


@game
def nim_moore(heaps, k):
    return Game(tuple(heaps), moore_moves(k, False))


@game
def nim_moore_distinct(heaps, k):
    return Game(tuple(heaps), moore_moves(k, True))


@game
def nim_staircase(steps):
    def moves(s):
        out = []
        for i in range(len(s)):
            for k in range(1, s[i] + 1):
                t = list(s)
                t[i] -= k
                if i:
                    t[i - 1] += k
                out.append((move("down", i=i, k=k), ("to", tuple(t))))
        return out
    return Game(tuple(steps), moves)


@game
def lasker(heaps):
    def moves(s):
        out = []
        for i, h in enumerate(s):
            rest = s[:i] + s[i + 1:]
            out += [(move("take", i, k=k), ("to", tuple(sorted(rest + (h - k,))))) for k in range(1, h + 1)]
            out += [(move("split", i, a=a), ("to", tuple(sorted(rest + (a, h - a))))) for a in range(1, h) if a <= h - a]
        return out
    return Game(tuple(heaps), moves)


# ---------------------------------------------------------------- strips
@game
def georgia_bob(positions):
    def moves(chips):
        out = []
        for c in sorted(chips):
            to = c - 1
            while to >= 1 and to not in chips:
                out.append((move("left", c=c, to=to), ("to", chips - {c} | {to})))
                to -= 1
        return out
    return Game(frozenset(positions), moves)


def hill_moves(people, king, name_all=True):
    """people: names in order from the top with their distances; the top is 0 and holds any number"""
    out = []
    for i, (who, d) in enumerate(people):
        nearest = people[i - 1][1] if i else -1
        for to in range(d - 1, nearest, -1):
            left = people[:i] + (((who, to),) if to else ()) + people[i + 1:]
            label = move("climb", i=i, to=to)
            out.append((label, "win" if to == 0 and who == king else ("to", left)))
    return out


@game
def climbing_hill(distances, king):
    return Game(tuple(enumerate(distances, 1)), lambda s: hill_moves(s, king))


@game
def climbing_hill_plain(distances):
    return Game(tuple(enumerate(distances, 1)), lambda s: hill_moves(s, None))


# ---------------------------------------------------------------- tokens on an acyclic digraph
def arcs_of(succ):
    return [sorted(set(x)) for x in succ]


def token_moves(succ, label):
    out = arcs_of(succ)
    return lambda s: [(label(i, v), ("to", put(s, i, v))) for i in range(len(s)) for v in out[s[i]]]


@game
def dag_sum(succ, tokens):
    return Game(tuple(tokens), token_moves(succ, lambda i, v: move("go", i, v=v)))


@game
def dag_misere(succ, tokens):
    return Game(tuple(tokens), token_moves(succ, lambda i, v: move("go", i, v=v)), misere=True)


@game
def dag_misere_zero(succ, tokens):
    alone = [Game((v,), token_moves(succ, lambda i, v: None)).grundy() for v in range(len(succ))]

    def over(s):
        return "won" if all(alone[v] == 0 for v in s) else None
    return Game(tuple(tokens), token_moves(succ, lambda i, v: move("go", i=i, v=v)), misere=True, over=over)


@game
def dag_every(succ, tokens):
    out = arcs_of(succ)

    def moves(s):
        can = [i for i in range(len(s)) if out[s[i]]]
        if not can:
            return []
        res = []
        for targets in itertools.product(*[out[s[i]] for i in can]):
            t = list(s)
            for i, v in zip(can, targets):
                t[i] = v
            parts = [{"component": i, "name": "go", "binders": {"v": v}} for i, v in zip(can, targets)]
            res.append(({"component": None, "parts": parts}, ("to", tuple(t))))
        return res
    return Game(tuple(tokens), moves)


# ---------------------------------------------------------------- graphs
def reachable(n, edges, v):
    seen, todo = {v}, [v]
    while todo:
        u = todo.pop()
        for a, b in edges:
            if a == u and b not in seen:
                seen.add(b)
                todo.append(b)
    return frozenset(seen)


@game
def flip(n, edges, colors):
    reach = [reachable(n, edges, v) for v in range(n)]

    def moves(black):
        out = []
        for v in range(n):
            after = black ^ reach[v]
            out.append((move("flip", v=v), ("to", after) if after else "win"))
        return out
    return Game(frozenset(v for v in range(n) if colors[v]), moves)


def walk_moves(near, label):
    def moves(s):
        at, seen = s
        return [(label(v), ("to", (v, seen | {v}))) for v in sorted(near[at]) if v not in seen]
    return moves


@game
def geography(n, edges, start):
    near = {v: {b for a, b in edges if a == v} | {a for a, b in edges if b == v} for v in range(n)}
    return Game((start, frozenset([start])), walk_moves(near, lambda v: move("go", v=v)))


@game
def geography_grid(rows):
    free = [(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "."]
    near = {(r, c): {q for q in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)) if q in free} for r, c in free}
    walk = walk_moves(near, lambda v: None)

    def moves(s):
        if s == "start":
            return [(move("place", c=list(c)), ("to", (c, frozenset([c])))) for c in free]
        return walk(s)
    return Game("start", moves)


def edge_texts(edges):
    """a-b, the second between the same ends a-b#2, and so on"""
    seen, out = {}, []
    for u, v in edges:
        k = frozenset((u, v))
        seen[k] = seen.get(k, 0) + 1
        out.append(f"{u}-{v}" + (f"#{seen[k]}" if seen[k] > 1 else ""))
    return out


@game
def hackenbush(edges, ground):
    text = edge_texts(edges)

    def standing(left):
        """what still hangs on the ground"""
        held, grows = set(ground), True
        while grows:
            grows = False
            for i in left:
                if len(held & set(edges[i])) and not set(edges[i]) <= held:
                    held |= set(edges[i])
                    grows = True
        return frozenset(i for i in left if edges[i][0] in held)

    def moves(left):
        return [(dict(move("cut", e=text[i]), edge=i), ("to", standing(left - {i}))) for i in sorted(left)]
    return Game(standing(frozenset(range(len(edges)))), moves)


# ---------------------------------------------------------------- instances
def cases(name, fixed, more, total):
    """the fixed ones, then random ones without repetition up to `total`"""
    rnd = random.Random("oracle " + name)
    out, seen = [], set()
    for x in itertools.chain(fixed, (more(rnd) for _ in range(100 * total))):
        if repr(x) not in seen and (len(out) < total or len(out) < len(fixed)):
            seen.add(repr(x))
            out.append(x)
    CASES[name] = out


def some(rnd, lo, hi, low=0, high=5):
    return [rnd.randint(low, high) for _ in range(rnd.randint(lo, hi))]


def nm(pairs):
    return [{"N": n, "M": m} for n, m in pairs]


def nab(triples):
    return [{"N": n, "a": a, "b": b} for n, a, b in triples]


bash_fixed = nm([(0, 0), (0, 4), (5, 0), (1, 0), (1, 1), (2, 1), (4, 4), (5, 4), (6, 4), (17, 4), (3, 9), (30, 1), (30, 7), (60, 6), (2, 2), (5, 2), (3, 2), (10, 3)])
for name in ("bash", "bash_counting", "bash_misere"):
    cases(name, bash_fixed, lambda r: {"N": r.randint(0, 60), "M": r.randint(0, 9)}, 60)
range_fixed = nab([(0, 1, 1), (1, 1, 1), (1, 2, 2), (2, 2, 2), (3, 2, 2), (4, 2, 2), (17, 2, 4), (3, 4, 9), (13, 4, 9), (14, 4, 9), (0, 3, 5), (2, 3, 5), (40, 1, 9), (40, 7, 7)])
for name in ("bash_range", "bash_range_rest"):
    cases(name, range_fixed, lambda r: (lambda a: {"N": r.randint(0, 50), "a": a, "b": a + r.randint(0, 6)})(r.randint(1, 7)), 70)
cases("fibonacci", [{"N": n} for n in range(56)], lambda r: {"N": r.randint(56, 150)}, 62)
cases("fibonacci_position", [{"stones": s, "limit": l} for s, l in [(0, 0), (0, 3), (1, 0), (1, 1), (5, 0), (5, 4), (5, 5), (12, 3), (12, 1), (12, 100), (8, 7), (8, 8)]],
      lambda r: {"stones": r.randint(0, 60), "limit": r.randint(0, 25)}, 70)
cases("wythoff", [{"a": a, "b": b} for a, b in [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (8, 4), (3, 5), (5, 3), (7, 4), (0, 20), (20, 12), (12, 20), (10, 6), (20, 20)]],
      lambda r: {"a": r.randint(0, 22), "b": r.randint(0, 22)}, 70)
heap_fixed = [{"heaps": h} for h in [[], [0], [0, 0], [1], [7], [1, 1], [2, 2], [0, 2, 0], [1, 2, 3], [3, 4, 5], [3, 5, 1], [1, 1, 1], [1, 0, 1, 1], [2, 1, 1], [4, 4, 4], [2, 2, 2, 2], [5, 0, 5]]]
for name in ("nim", "nim_misere"):
    cases(name, heap_fixed, lambda r: {"heaps": some(r, 1, 4, 0, 7)}, 60)
cases("lasker", heap_fixed[:-2] + [{"heaps": h} for h in [[4, 4, 1], [3, 3], [3, 4], [8], [12], [5, 6], [7, 2], [2, 4]]], lambda r: {"heaps": some(r, 1, 3, 0, 6)}, 50)
cases("nim_set", [{"heaps": h, "T": t} for h, t in [([], [1]), ([5, 12], []), ([0], [1, 2]), ([5, 12], [2, 5]), ([3], [7]), ([4, 4], [3, 1]), ([0, 0, 9], [9]), ([20], [5, 1, 3]), ([2, 2, 2], [2]), ([1, 1], [2, 3])]],
      lambda r: {"heaps": some(r, 1, 3, 0, 12), "T": r.sample(range(1, 9), r.randint(1, 4))}, 60)
moore_fixed = [{"heaps": h, "K": k} for h, k in [([], 1), ([], 0), ([3], 0), ([0, 0], 2), ([2], 1), ([2], 3), ([1, 1], 1), ([1, 1], 2), ([1, 2, 3], 2), ([1, 1, 1], 2), ([1, 1, 1], 3), ([2, 2, 2], 2), ([3, 3], 5), ([0, 3, 0, 1], 2), ([2, 1, 2], 1), ([2, 3, 3, 2], 3)]]
for name in ("nim_moore", "nim_moore_distinct"):
    cases(name, moore_fixed, lambda r: {"heaps": some(r, 1, 4, 0, 3), "K": r.randint(1, 4)}, 50)
cases("nim_staircase", [{"steps": s} for s in [[], [0], [0, 0, 0], [3], [0, 3], [0, 0, 3], [1, 1], [1, 2, 3], [2, 2, 2], [0, 4, 0, 1], [3, 0, 3], [1, 0, 1, 0, 1]]], lambda r: {"steps": some(r, 1, 5, 0, 2 + r.randint(0, 1))}, 50)


def strip(r, lo, hi, cells):
    xs = r.sample(range(1, cells + 1), r.randint(lo, hi))
    return xs


cases("georgia_bob", [{"positions": p} for p in [[], [1], [2], [7], [1, 2], [2, 1], [1, 3], [3, 2], [9, 1, 5], [5, 1, 9], [1, 2, 3], [4, 3, 2], [10, 1], [2, 4, 7, 9], [9, 7, 4, 2], [1, 2, 3, 4], [12, 11, 10]]],
      lambda r: {"positions": strip(r, 1, 4, 9)}, 60)
cases("climbing_hill", [{"distances": d, "king": k} for d, k in [([1], 1), ([5], 1), ([1, 2], 1), ([1, 2], 2), ([1, 2, 3], 1), ([1, 2, 3], 2), ([1, 2, 3], 3), ([2, 3], 2), ([1, 3, 4], 2), ([1, 3, 4], 3), ([2, 4, 5], 2), ([3, 4, 6], 2), ([1, 2, 3, 4], 4), ([1, 2, 3, 4], 2), ([2, 5, 7, 8], 3), ([1, 4, 6, 9, 10], 2), ([1, 4, 6, 9, 10], 5)]],
      lambda r: (lambda d: {"distances": d, "king": r.randint(1, len(d))})(sorted(strip(r, 1, 5, 10))), 70)
cases("climbing_hill_plain", [{"distances": d} for d in [[], [1], [4], [1, 2], [1, 3], [1, 2, 3], [1, 3, 4], [2, 4, 5], [1, 2, 3, 4], [2, 5, 7, 8], [1, 4, 6, 9, 10]]],
      lambda r: {"distances": sorted(strip(r, 1, 5, 10))}, 50)


def dag(r, n, p):
    order = list(range(n))
    r.shuffle(order)
    succ = [[] for _ in range(n)]
    for i in range(n):
        for j in range(i):
            if r.random() < p:
                succ[order[i]].append(order[j])
    for s in succ:
        r.shuffle(s)
    return succ


def tokens(r, most):
    n = r.randint(1, 7)
    return {"succ": dag(r, n, r.choice([0.3, 0.5, 0.8])), "tokens": [r.randrange(n) for _ in range(r.randint(1, most))]}


dag_fixed = [{"succ": s, "tokens": t} for s, t in [([], []), ([[]], []), ([[]], [0]), ([[]], [0, 0]), ([[], [0]], [1]), ([[], [0]], [0, 1]), ([[], [0]], [1, 1]), ([[], [0], [0, 1]], [2]), ([[], [0], [0, 1], [2]], [3]), ([[], [0], [0, 1], [2]], [3, 1]),
             ([[], [0], [0, 1], [2]], [3, 3]), ([[], [0, 0], [1, 0, 1]], [2, 2]), ([[1], [2], []], [0, 1, 2]), ([[1, 2, 3], [2, 3], [3], []], [0, 1]), ([[], [0], [1], [2], [3]], [4, 2, 4]), ([[], [0], [1], [2], [3, 0]], [4, 4])]]
for name in ("dag_sum", "dag_misere", "dag_misere_zero", "dag_every"):
    cases(name, dag_fixed, lambda r: tokens(r, 3), 60)


def digraph(r):
    n = r.randint(1, 5)
    p = r.choice([0.1, 0.2, 0.35])
    edges = [[u, v] for u in range(n) for v in range(n) if r.random() < (p if u != v else p / 3)]
    if r.random() < 0.15 and edges:
        edges.append(r.choice(edges))
    r.shuffle(edges)
    return {"n": n, "edges": edges, "colors": [r.randint(0, 1) for _ in range(n)]}


cases("flip", [{"n": n, "edges": e, "colors": c} for n, e, c in [
    (0, [], []), (1, [], [0]), (1, [], [1]), (1, [[0, 0]], [1]), (1, [[0, 0]], [0]), (2, [], [0, 0]), (2, [], [1, 0]), (2, [], [1, 1]), (2, [[0, 1]], [0, 0]), (2, [[0, 1]], [1, 0]), (2, [[0, 1]], [0, 1]), (2, [[0, 1]], [1, 1]),
    (2, [[0, 1], [1, 0]], [0, 0]), (2, [[0, 1], [1, 0]], [1, 1]), (2, [[0, 1], [1, 0]], [1, 0]), (2, [[0, 1], [0, 1]], [1, 1]), (3, [[0, 1], [1, 2]], [1, 0, 1]), (3, [[0, 1], [1, 2]], [1, 0, 0]), (4, [[0, 1], [0, 3], [1, 2], [2, 3]], [0, 0, 1, 1]),
    (3, [[0, 1], [1, 0], [1, 2]], [1, 1, 0]), (3, [[0, 1], [1, 0], [1, 2]], [1, 1, 1]), (3, [[0, 1], [1, 2], [2, 0]], [1, 1, 1]), (3, [[0, 1], [1, 2], [2, 0]], [0, 1, 1]), (4, [[0, 1], [1, 0], [2, 3], [3, 2]], [1, 1, 0, 0]), (4, [[0, 1], [1, 0], [2, 3], [3, 2], [1, 2]], [1, 1, 0, 0])]],
      digraph, 80)


def graph(r):
    n = r.randint(1, 7)
    p = r.choice([0.2, 0.4, 0.7])
    edges = [[u, v] if r.random() < 0.5 else [v, u] for u in range(n) for v in range(u) if r.random() < p]
    if r.random() < 0.2:
        edges.append([0, 0])
    if r.random() < 0.2 and edges:
        edges.append(r.choice(edges)[::-1])
    r.shuffle(edges)
    return {"n": n, "edges": edges, "start": r.randrange(n)}


cases("geography", [{"n": n, "edges": e, "start": s} for n, e, s in [(1, [], 0), (1, [[0, 0]], 0), (2, [], 1), (2, [[0, 1]], 0), (2, [[0, 1], [1, 0]], 1), (3, [[0, 1], [1, 2]], 0), (3, [[0, 1], [1, 2]], 1), (3, [[0, 1], [1, 2], [2, 0]], 2),
      (4, [[0, 1], [2, 3]], 3), (4, [[0, 1], [1, 1]], 0), (5, [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]], 0), (6, [[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 5], [5, 3]], 0), (6, [[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 5], [5, 3]], 2)]], graph, 60)
cases("geography_grid", [{"rows": g} for g in [[], ["."], ["#"], ["##", "##"], [".."], ["..."], [".", ".", "."], ["..", ".."], ["...", "..."], ["...", "...", "..."], [".##", "...", "#.#"], [".#.", "#.#", ".#."], [".#..", "...."], ["....."], ["...", ".#.", "..."]]],
      lambda r: (lambda c: {"rows": ["".join(r.choice("..." + "#") for _ in range(c)) for _ in range(r.randint(1, 3))]})(r.randint(1, 4)), 50)


def plant(r):
    n = r.randint(2, 6)
    ground = r.sample(range(n), r.randint(1, min(3, n)))
    edges = [[r.randrange(n), r.randrange(n)] for _ in range(r.randint(1, 9))]
    return {"edges": edges, "ground": ground}


cases("hackenbush", [{"edges": e, "ground": g} for e, g in [([], []), ([], [0]), ([[0, 1]], []), ([[0, 1]], [0]), ([[0, 1]], [1]), ([[0, 1]], [0, 1]), ([[0, 1]], [2]), ([[0, 0]], [0]), ([[1, 1]], [0]), ([[0, 1], [1, 1]], [0]), ([[0, 1], [0, 1]], [0]), ([[0, 1], [0, 1], [0, 1]], [0]), ([[0, 1], [1, 0]], [0]),
      ([[0, 1], [1, 2], [2, 0]], [0]), ([[0, 1], [1, 2], [2, 0], [2, 2]], [0]), ([[0, 1], [1, 2], [2, 3], [3, 0]], [0]), ([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]], [0]), ([[0, 1], [1, 2], [3, 2]], [0, 3]), ([[0, 1], [2, 3]], [0]), ([[0, 1], [2, 3], [3, 4]], [0, 2]), ([[0, 1], [1, 2], [1, 3], [3, 4]], [0]),
      ([[5, 7], [7, 9], [9, 5], [5, 5]], [5, 6]), ([[0, 0], [0, 0], [0, 1], [1, 1]], [0]), ([[0, 1], [1, 2], [2, 3], [3, 1]], [0])]], plant, 70)

if __name__ == "__main__":
    out = {}
    for name in sorted(GAMES):
        out[name] = []
        for x in CASES[name]:
            out[name].append(dict({"input": x}, **GAMES[name](**{k.lower(): v for k, v in x.items()}).answer()))
    dump(os.path.join(os.path.dirname(os.path.abspath(__file__)), "games.json"), out)
    for name, cs in out.items():
        print(name, len(cs), {o: sum(c["outcome"] == o for c in cs) for o in ("first", "second", "draw")}, max(c["winning_move_count"] for c in cs))
