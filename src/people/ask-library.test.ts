import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseAway } from "../kernel/storage-faults.ts";
import { makeAskLibrary, type Visitor } from "./ask-library.ts";

const VISITOR: Visitor = {
  origin: "http://localhost:8080",
  address: "10.0.0.7",
  userAgent: "x".repeat(1_000),
  cookies: "afara.session=abc",
};
const QUESTION = { method: "POST", path: "/sign-in/email", body: { email: "a@b.ng" } } as const;

test("of the visitor's headers the library sees the cookies, a shortened browser, and the address as we know it", async () => {
  let seen: Request | undefined;
  const ask = makeAskLibrary(
    async () => async (request) => {
      seen = request;
      return Response.json({ token: "t" }, { headers: { "set-cookie": "a=b" } });
    },
    async () => undefined,
  );
  assert.deepEqual(await ask(VISITOR, QUESTION), { ok: true, value: { body: { token: "t" }, cookies: ["a=b"] } });
  assert.equal(seen?.url, "http://localhost:8080/portal/api/auth/sign-in/email");
  assert.deepEqual([...seen!.headers.keys()].toSorted(), [
    "content-type",
    "cookie",
    "origin",
    "user-agent",
    "x-afara-address",
  ]);
  assert.equal(seen?.headers.get("user-agent")?.length, 300);
});

test("while storage is away that is what is said, and any other failure is told with the library's code", async () => {
  const failing = async () => async () => Response.json({ code: "FAILED_TO_CREATE_SESSION" }, { status: 500 });
  const away = makeAskLibrary(failing, () => Promise.reject(new DatabaseAway("gone")));
  await assert.rejects(away(VISITOR, QUESTION), DatabaseAway);
  const here = makeAskLibrary(failing, async () => undefined);
  await assert.rejects(here(VISITOR, QUESTION), /500 FAILED_TO_CREATE_SESSION to \/sign-in\/email/);
});

test("a code of the library that we don't know is refused, and its words are not shown", async () => {
  const ask = makeAskLibrary(
    async () => async () => Response.json({ code: "SOMETHING_NEW", message: "secret words" }, { status: 400 }),
    async () => undefined,
  );
  const asked = await ask(VISITOR, QUESTION);
  assert.partialDeepStrictEqual(asked, { ok: false, error: { code: "invalid_state", internal: "SOMETHING_NEW" } });
  assert.doesNotMatch(JSON.stringify(asked), /secret words/);
});
