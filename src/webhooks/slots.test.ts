import assert from "node:assert/strict";
import { test } from "node:test";
import { Slots } from "./slots.ts";

class Holder {
  woken = 0;
  mayTakeLong: boolean;
  constructor(mayTakeLong = false) {
    this.mayTakeLong = mayTakeLong;
  }
  news(): void {
    this.woken += 1;
  }
}

const fill = (slots: Slots<Holder>, mayTakeLong: boolean): readonly Holder[] => {
  const holders: Holder[] = [];
  for (;;) {
    const holder = new Holder(mayTakeLong);
    if (!slots.take(holder)) {
      slots.forget(holder);
      return holders;
    }
    holders.push(holder);
  }
};

test("endpoints that fail leave most slots to the others", () => {
  const slots = new Slots<Holder>();
  const suspects = fill(slots, true).length;
  const others = fill(slots, false).length;
  assert.ok(others >= 3 * suspects, `${suspects} suspects, ${others} others`);
});

test("who waits is called when a slot is free, in the order in which they asked", () => {
  const slots = new Slots<Holder>();
  const [first] = fill(slots, false);
  const waiting = [new Holder(), new Holder()];
  for (const holder of waiting) assert.equal(slots.take(holder), false);
  slots.forget(waiting[0]!);
  slots.give(first!);
  assert.deepEqual(
    waiting.map(({ woken }) => woken),
    [0, 1],
  );
});

test("a slot that a suspect took is a suspect's until it is given back, also when it succeeded meanwhile", () => {
  const slots = new Slots<Holder>();
  const suspects = fill(slots, true);
  suspects[0]!.mayTakeLong = false;
  slots.give(suspects[0]!);
  assert.equal(slots.take(new Holder(true)), true);
  assert.equal(slots.take(new Holder(true)), false);
});

test("ten endpoints that take all they get leave some for others, and one alone has a quarter", () => {
  for (const mayTakeLong of [false, true]) {
    const slots = new Slots<Holder>();
    const greedy = Array.from({ length: 10 }, () => new Holder(mayTakeLong));
    const counts = greedy.map((holder) => {
      let count = 0;
      while (slots.take(holder)) count += 1;
      return count;
    });
    assert.ok(counts[0]! >= 25, `${counts[0]} of the first`);
    assert.ok(counts.at(-1)! >= 1, "one of the last");
    for (let count = 0; count < 10; count++) assert.equal(slots.take(new Holder(mayTakeLong)), true);
  }
});
