"""Exhaustive search of a small game given as a Python function: no formula, no theorem, no sharing of components.

A game is `moves(state) -> [(label, effect)]`. An effect is "win", "lose" or "draw" (said of the mover) or a tuple
("to", state), ("again", state) (the mover moves once more), each with the points for the mover as an optional third part.
`over(state)` may say "won", "lost", "drawn" (of the player to move).
"""
import sys

sys.setrecursionlimit(100000)


class Game:
    """The reachable states of a start state, and everything that can be asked about them."""

    def __init__(self, start, moves, misere=False, over=None, points=None, limit=200000):
        """points: None for a game without score, else what the first player has before his first move"""
        self.start, self.misere, self.before = start, misere, points
        self.end, self.edges = {}, {}
        todo = [start]
        seen = {start}
        while todo:
            s = todo.pop()
            self.end[s] = over(s) if over else None
            self.edges[s] = [] if self.end[s] else list(moves(s))
            for _, effect in self.edges[s]:
                if isinstance(effect, tuple) and effect[1] not in seen:
                    seen.add(effect[1])
                    todo.append(effect[1])
            if len(seen) > limit:
                raise MemoryError("too many states for an oracle")
        self.states = seen

    def effects(self):
        return (e for es in self.edges.values() for _, e in es)

    def ends(self):
        """Some play can be ended at once, sums included."""
        return any(isinstance(e, str) for e in self.effects()) or any(self.end.values())

    def agains(self):
        return any(e[0] == "again" for e in self.effects() if isinstance(e, tuple))

    def decide(self):
        """state -> (True for a win of the player to move, moves to the end), level by level; what is missing is a draw."""
        value = {}
        drawn = {s for s, e in self.end.items() if e == "drawn"}
        fresh = {}
        for s, e in self.end.items():
            if e in ("won", "lost"):
                fresh[s] = e == "won"
            elif e is None and not self.edges[s]:
                fresh[s] = self.misere
        level = 0
        while True:
            for s, v in fresh.items():
                value[s] = (v, level)
            level += 1
            fresh = {}
            for s in self.states:
                if s in value or s in drawn or not self.edges[s]:
                    continue
                results = [self.result(e, value) for _, e in self.edges[s]]
                if True in results:
                    fresh[s] = True
                elif all(r is False for r in results):
                    fresh[s] = False
            if not fresh:
                return value

    @staticmethod
    def result(effect, value):
        """True, False, or None (draw or not known yet) for the mover."""
        if effect == "win":
            return True
        if effect == "lose":
            return False
        if effect == "draw" or effect[1] not in value:
            return None
        v = value[effect[1]][0]
        return v if effect[0] == "again" else not v

    def scores(self):
        memo = {}

        def score(s):
            if s not in memo:
                memo[s] = max([self.points(e, score) for _, e in self.edges[s]], default=0)
            return memo[s]

        score(self.start)
        return score

    @staticmethod
    def points(effect, score):
        rest = score(effect[1])
        return (effect[2] if len(effect) > 2 else 0) + (rest if effect[0] == "again" else -rest)

    def acyclic(self):
        state = {}

        def visit(s):
            state[s] = 1
            for _, e in self.edges[s]:
                if isinstance(e, tuple):
                    c = state.get(e[1])
                    if c == 1 or c is None and not visit(e[1]):
                        return False
            state[s] = 2
            return True

        return visit(self.start)

    def grundy(self):
        """The mex rule; with cycles by the meaning of the value: G + *n is lost only for n = value; else where it is won."""
        if self.acyclic():
            memo = {}

            def value(s):
                if s not in memo:
                    below = {value(e[1]) for _, e in self.edges[s]}
                    memo[s] = next(n for n in range(len(below) + 1) if n not in below)
                return memo[s]

            return value(self.start)
        top = max(len(es) for es in self.edges.values()) + 1

        def moves(s):
            g, n = s
            return [(None, ("to", (e[1], n))) for _, e in self.edges[g]] + [(None, ("to", (g, k))) for k in range(n)]

        won = []
        for n in range(top + 1):
            both = Game((self.start, n), moves, limit=2000000).decide().get((self.start, n))
            if both and not both[0]:
                return n
            if both:
                won.append(n)
        return {"loop": won}

    def answer(self):
        out = {}
        if self.before is not None:
            score = self.scores()
            best = score(self.start)
            total = self.before + best
            out["outcome"] = "first" if total > 0 else "second" if total < 0 else "draw"
            out["grundy"] = None
            out["score"] = total
            wins = [m for m, e in self.edges[self.start] if self.points(e, score) == best]
            return dict(out, winning_move_count=len(wins), winning_moves=wins)
        value = self.decide()
        mine = value.get(self.start)
        out["outcome"] = "draw" if mine is None else "first" if mine[0] else "second"
        out["grundy"] = None if self.misere or self.ends() or self.agains() else self.grundy()
        if mine is not None:
            out["remoteness"] = mine[1]
        wins = [m for m, e in self.edges[self.start] if self.result(e, value) is True]
        out["winning_move_count"] = len(wins)
        out["winning_moves"] = wins
        if mine is None:
            draws = [m for m, e in self.edges[self.start] if self.result(e, value) is None]
            out["drawing_move_count"] = len(draws)
            out["drawing_moves"] = draws
        return out


def move(name, component=None, **binders):
    """A move as `solve` prints it."""
    return {"name": name, "binders": binders, "component": component}


def dump(path, games):
    """One instance a line, so that differences are readable."""
    import json

    with open(path, "w") as f:
        f.write("{\n")
        for i, (name, cases) in enumerate(games.items()):
            f.write(f"{json.dumps(name)}: [\n")
            f.write(",\n".join(" " + json.dumps(c, separators=(",", ":"), ensure_ascii=False) for c in cases))
            f.write("\n]" + (",\n" if i + 1 < len(games) else "\n"))
        f.write("}\n")
