import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { ON_AMBIGUOUS_DEFAULT } from "../../src/kernel/on-ambiguous.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { chat, chatReached, handsetWrites, template } from "./chats.ts";
import { type Bulk, type Message, phone, startRig } from "./rig.ts";

/** What README promises is held to by a test, and said as the API has it. */

const ROOT = join(import.meta.dirname, "..", "..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const rig = await startRig();

/** Each promise by its first words, and the tests that would fail if it were broken. */
const PROMISES: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "What was answered with 202": { "test/crash/kill.test.ts": /SIGKILL in the middle of 2,000 messages/ },
  "Nothing is charged twice": {
    "test/crash/kill.test.ts": /none is charged twice/,
    "test/e2e/money.test.ts": /a repeated request takes neither money nor quota/,
    "test/e2e/magic-numbers.test.ts": /row\.charged \? "charged" : "not charged"/,
  },
  "Airtime, data, electricity and cable TV are bought once": {
    "test/crash/purchases.test.ts": /the wallet paid for exactly what was vended/,
    "test/contract/purchases.test.ts": /the sum of what it delivered is what was taken and lost/,
  },
  "A message is sent again only when": {
    "test/e2e/promises.test.ts": /by default, a message whose answer is lost is sent again/,
  },
};

test("every promise of README has a test, and every test of this table its promise", () => {
  const [, list = ""] = /^What it promises.*?\n\n(.*?)\n\n/ms.exec(README) ?? [];
  const promises = list.split(/^- /m).slice(1);
  assert.equal(promises.length, Object.keys(PROMISES).length, list);
  for (const [words, tests] of Object.entries(PROMISES)) {
    assert.ok(
      promises.some((promise) => promise.startsWith(words)),
      words,
    );
    for (const [path, held] of Object.entries(tests)) {
      assert.ok(existsSync(join(ROOT, path)), path);
      assert.match(readFileSync(join(ROOT, path), "utf8"), held, path);
    }
  }
});

test("where a repeat is promised or refused, the defaults stand as they are", async () => {
  const { transactional, promotional, bulk } = ON_AMBIGUOUS_DEFAULT;
  assert.deepEqual([transactional, promotional, bulk], ["retry", "fail", "fail"]);
  const inOneLine = (path: string) => readFileSync(join(ROOT, path), "utf8").replaceAll(/\s+/g, " ");
  assert.match(
    inOneLine("README.md"),
    /`"retry"` is the default of a single transactional message.*`"fail"`.* is the default of bulk and promotional messages/,
  );
  assert.match(
    inOneLine("docs/guides/first-sms.md"),
    /Single transactional messages default to `retry`.*bulk and promotional ones to `fail`/,
  );
  assert.match(inOneLine("docs/guides/chat.md"), /`"retry"` \(the default, except for marketing templates\)/);
  assert.match(
    inOneLine("docs/errors/failures.md"),
    /`retry` is the default of a single transactional message.*`fail`, at most once, is the default of bulk and promotional messages/,
  );

  type Paths = Record<string, { post?: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }>;
  type Schemas = Record<string, { properties: Record<string, { description: string }> }>;
  const { body } = await rig.local.get<{ paths: Paths; components: { schemas: Schemas } }>("/openapi.json");
  const said = (path: string): string => {
    const model = body.paths[path]?.post?.requestBody.content["application/json"]?.schema.$ref.split("/").at(-1) ?? "";
    return body.components.schemas[model]?.properties.on_ambiguous?.description ?? "";
  };
  assert.match(said("/sms/send"), /Default: `retry` for a transactional message, `fail` for a promotional one/);
  assert.match(said("/sms/bulk"), /Default for a bulk: `fail`/);
  for (const kind of ["text", "media", "interactive", "template"])
    assert.match(said(`/chat/send/${kind}`), /Default: `retry`, or `fail` for a marketing template/);
});

const ambiguityOf = async (id: string): Promise<string | undefined> => {
  const { rows } = await rig.db.query<{ ambiguity: string }>("select ambiguity from orders where id = $1", [
    decodeId("msg", id),
  ]);
  return rows[0]?.ambiguity;
};

test("each kind of send is accepted with its default, or with what it asks for", async () => {
  const who = await rig.subscriber({ also: { chat: "scale" } });
  await rig.vendors.chatTemplate("whatsapp", {
    name: "offers",
    language: "en_US",
    category: "MARKETING",
    components: [{ type: "BODY", text: "Hi {{1}}, there is news." }],
  });
  // The list is asked for anew when a template is not in it, though not more than once a minute.
  await waitFor(
    "the first list of templates",
    async () =>
      (await rig.db.query("update chat_template_lists set fetched_at = fetched_at - interval '2 minutes'")).rowCount ===
      1,
  );
  const to = phone(1);
  await handsetWrites(who, to);
  const sms = async (more: object) => (await who.post<Message>("/sms/send", { to, message: "x", ...more })).body.id;
  const bulk = async (more: object) =>
    (await who.post<Bulk>("/sms/bulk", { to: [to], message: "x", ...more })).body.messages[0]!.id;
  const text = async (more: object) => (await chat(who, "text", { to, message: "x", ...more })).id;
  const buttons = async (more: object) => {
    const body = { to, type: "buttons", body: "Well?", buttons: [{ id: "yes", title: "Yes" }], ...more };
    return (await chat(who, "interactive", body)).id;
  };
  const utility = async (more: object) => (await chat(who, "template", { ...template(to), ...more })).id;
  const marketing = async (more: object) =>
    (await chat(who, "template", { to, template: "offers", language: "en_US", variables: { body: ["Ada"] }, ...more }))
      .id;
  const promotional = (more: object) => sms({ route: "promotional", ...more });
  const promotionalBulk = (more: object) => bulk({ route: "promotional", ...more });

  for (const [send, byDefault] of [
    [sms, "retry"],
    [promotional, "fail"],
    [bulk, "fail"],
    [promotionalBulk, "fail"],
    [text, "retry"],
    [buttons, "retry"],
    [utility, "retry"],
    [marketing, "fail"],
  ] as const) {
    assert.equal(await ambiguityOf(await send({})), byDefault, send.name);
    for (const on_ambiguous of ["retry", "fail"])
      assert.equal(await ambiguityOf(await send({ on_ambiguous })), on_ambiguous, send.name);
  }
});

test("by default, a message whose answer is lost is sent again when it is single and transactional, and never in a bulk", async () => {
  const to = "+2348000000004";
  const single = await rig.local.send({ to, message: "Your code is 4471" });
  const { body } = await rig.local.post<Bulk>("/sms/bulk", { to: [to], message: "To all" });
  const id = body.messages[0]!.id;
  await rig.local.reached(single.id, "delivered", 120_000);
  const ended = await rig.local.reached(id, "failed", 120_000);
  assert.equal(ended.failure?.code, "outcome_unknown");
  assert.deepEqual([(await rig.submits([single.id])).length, (await rig.submits([id])).length], [2, 1]);

  const who = await rig.subscriber({ also: { chat: "scale" } });
  await handsetWrites(who, to);
  const written = await chat(who, "text", { to, message: "Your code is 4471" });
  assert.equal((await chatReached(who, written.id, "read")).charge, "charged");
});

rig.provesItsLedger();
