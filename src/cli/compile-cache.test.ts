import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cachePlace } from "./compile-cache.ts";

const place = mkdtempSync(join(tmpdir(), "afara-cache-"));
after(() => rmSync(place, { recursive: true }));
const uid = process.getuid!();

function clone(name: string): { readonly root: string; readonly home: string } {
  const made = { root: join(place, name, "afara"), home: join(place, name, "home") };
  mkdirSync(join(made.root, "node_modules"), { recursive: true });
  mkdirSync(made.home);
  return made;
}

test("in a clone of one's own compiled code is kept in the clone", () => {
  const { root, home } = clone("own");
  assert.equal(cachePlace(root, home, uid), join(root, "node_modules", ".cache", "afara"));
});

test("in a clone that is another user's it is kept in one's home directory, and where that isn't one's own, nowhere", () => {
  const { root, home } = clone("another");
  assert.equal(cachePlace(root, home, uid + 1), undefined);
  assert.equal(cachePlace(root, join(place, "none"), uid + 1), undefined);
});

test("in a clone that can't be written it is kept in the home directory", { skip: uid !== 0 && "needs root" }, () => {
  const { root, home } = clone("foreign");
  chownSync(join(root, "node_modules"), 65_534, 65_534);
  chmodSync(join(root, "node_modules"), 0o555);
  assert.equal(cachePlace(root, home, uid), join(home, ".cache", "afara"));
});
