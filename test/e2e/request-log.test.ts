import assert from "node:assert/strict";
import { test } from "node:test";
import type { Role } from "../../src/accounts/roles.ts";
import { decodeId, encodeId, type Uuid } from "../../src/kernel/ids.ts";
import { signInPerson } from "../../src/testing/signed-in-person.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Bulk, LATE_MS, type Message, type Problem, phone, startRig } from "./rig.ts";

/** What an account's programs asked for, found by its people. */
const rig = await startRig();
const who = await rig.subscriber({ balance: "1000.00", also: { electricity: "scale" } });
const other = await rig.subscriber({ balance: "10.00" });

interface Logged {
  readonly id: string;
  readonly object: "request";
  readonly at: string;
  readonly mode: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly duration_ms: number;
  readonly order: string | null;
  readonly key: { readonly id: string; readonly starts: string; readonly ends: string } | null;
  readonly person: { readonly id: string; readonly name: string | null } | null;
}
interface LoggedInFull extends Logged {
  readonly kept_until: string;
  readonly request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly cut: boolean;
  };
  readonly answer: { readonly body: string | null; readonly cut: boolean };
}
interface LoggedPage {
  readonly data: readonly Logged[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

const isWritten = (id: string) =>
  waitFor(
    `${id} in the log`,
    async () => {
      const { rows } = await rig.db.query("select from request_log where id = $1", [decodeId("req", id)]);
      return rows.length > 0;
    },
    LATE_MS,
  );

async function reader(accountId: Uuid, role: Role, mode = "test") {
  const { personId, headers } = await signInPerson(rig.db, rig.secret, accountId, role);
  const all = { ...headers, "afara-account": encodeId("acc", accountId), "afara-mode": mode };
  const get = async <Body>(path: string) => {
    const answer = await fetch(`${rig.gateway.base}${path}`, { headers: all });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  const list = async (query: string): Promise<LoggedPage> => {
    const { status, body } = await get<LoggedPage>(`/portal/api/requests?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  return {
    personId,
    headers: all,
    get,
    list,
    /** The request, once it is there. */
    async found(id: string): Promise<Logged> {
      await isWritten(id);
      const { data } = await list(`id=${id}`);
      assert.equal(data.length, 1, id);
      return data[0]!;
    },
    async inFull(id: string) {
      const { status, body } = await get<LoggedInFull>(`/portal/api/requests/${id}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
  };
}

const ours = await reader(who.accountId, "viewer");
const theirs = await reader(other.accountId, "owner");

test("a refused request is found by the id that its problem names, in either spelling, with what was sent and answered", async () => {
  const headers = { "idempotency-key": "order-17", cookie: "canary=1", "x-secret": "canary" };
  const refused = await who.refused({ to: "12", message: "Hello" }, headers);
  const found = await ours.found(refused.request_id);
  const key = { starts: who.key.slice(0, found.key?.starts.length), ends: who.key.slice(-4) };
  assert.partialDeepStrictEqual(found, {
    object: "request",
    id: refused.request_id,
    mode: "test",
    method: "POST",
    path: "/sms/send",
    status: 422,
    code: refused.code,
    key,
    person: null,
  });
  assert.ok(found.duration_ms > 0 && Date.parse(found.at) > Date.now() - 60_000);
  const full = await ours.inFull(found.id);
  assert.deepEqual(JSON.parse(full.request.body ?? ""), { to: "12", message: "Hello" });
  assert.deepEqual(JSON.parse(full.answer.body ?? ""), refused);
  assert.equal(full.request.headers["idempotency-key"], "order-17");
  assert.doesNotMatch(JSON.stringify(full), /canary/);
  assert.equal(Date.parse(full.kept_until) - Date.parse(full.at), 7 * 86_400_000);

  const { rows } = await rig.db.query<{ id: string }>("select id from request_log where code = $1", [refused.code]);
  assert.equal((await ours.list(`id=${rows[0]?.id}`)).data[0]?.id, found.id);
});

test("invalid JSON, an unknown path, an unknown version and a missing scope are found, each under its code", async () => {
  const call = (path: string, init: RequestInit) =>
    fetch(`${rig.gateway.base}${path}`, { ...init, headers: { "x-api-key": who.key, ...init.headers } });
  const json = { "content-type": "application/json" };
  const answers = {
    invalid_json: await call("/sms/send", { method: "POST", headers: json, body: '{"to": "canary' }),
    unknown_endpoint: await call("/sms/sent/+2348031234567?note=canary", { method: "GET" }),
    unknown_version: await call("/sms/messages", { headers: { "afara-version": "1999-01-01" } }),
    method_not_allowed: await call("/sms/send", { method: "DELETE" }),
    use_x_api_key_header: await call(`/sms/messages?api_key=${who.key}`, {}),
  };
  for (const [code, answer] of Object.entries(answers)) {
    const problem = (await answer.json()) as Problem;
    assert.equal(problem.code, code);
    await ours.found(problem.request_id);
    const full = await ours.inFull(problem.request_id);
    assert.deepEqual([full.code, full.status], [code, answer.status]);
    assert.doesNotMatch(JSON.stringify(full), /canary|2348031234567/);
    assert.ok(!JSON.stringify(full).includes(who.key));
  }
  const { data } = await ours.list("code=unknown_endpoint");
  assert.equal(data[0]?.path, "/sms/sent/*?note=*");
});

test("an address that can't be read is refused and found, and the gateway goes on", async () => {
  for (const path of ["/%", "/docs/%F0%28", `/orders/${"x".repeat(700)}`]) {
    const stranger = await fetch(`${rig.gateway.base}${path}`);
    assert.ok([400, 414].includes(stranger.status), path);
    const answer = await fetch(`${rig.gateway.base}${path}`, { headers: { "x-api-key": who.key } });
    await ours.found(((await answer.json()) as Problem).request_id);
  }
  assert.equal((await fetch(`${rig.gateway.base}/livez`)).status, 200);
});

test("what made an order, read it and cancelled it is found by the order", async () => {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const sent = await who.post<Message>("/sms/send", { to: phone(1), message: "Later", send_at: sendAt });
  const { id } = sent.body;
  await who.status(id);
  await who.post(`/sms/cancel/${id}`);
  const paths = await waitFor("three requests", async () => {
    const { data } = await ours.list(`order=${id}`);
    return data.length === 3 && data.map(({ method, path }) => `${method} ${path}`);
  });
  assert.deepEqual(paths, [`POST /sms/cancel/${id}`, `GET /sms/status/${id}`, "POST /sms/send"]);

  const bulk = await who.post<Bulk>("/sms/bulk", { messages: [{ to: phone(2), message: "One of a bulk" }] });
  const made = await waitFor("the bulk's request", async () => {
    const { data } = await ours.list(`order=${bulk.body.messages[0]?.id}`);
    return data.find(({ path }) => path === "/sms/bulk");
  });
  assert.equal(made.order, bulk.body.id);
  assert.deepEqual(
    (await ours.list(`order=${bulk.body.id}`)).data.map(({ id }) => id),
    [made.id],
  );
});

test("requests are listed by status, class, method and time, a page at a time, and none comes twice", async () => {
  const all = await ours.list("limit=100");
  const classes = new Set((await ours.list("status=4xx")).data.map(({ status }) => Math.floor(status / 100)));
  assert.deepEqual([...classes], [4]);
  assert.ok((await ours.list("status=404")).data.every(({ status }) => status === 404));
  assert.ok((await ours.list("method=DELETE")).data.every(({ method }) => method === "DELETE"));
  assert.deepEqual((await ours.list(`created_after=${new Date(Date.now() + 60_000).toISOString()}`)).data, []);
  const walked: string[] = [];
  let after = "";
  do {
    const page: LoggedPage = await ours.list(`limit=3${after}`);
    walked.push(...page.data.map(({ id }) => id));
    after = page.next_cursor === undefined ? "" : `&after=${page.next_cursor}`;
  } while (after !== "");
  assert.deepEqual(
    walked,
    all.data.map(({ id }) => id),
  );
  assert.deepEqual((await ours.list("id=nothing")).data, []);
  for (const query of ["status=abc", "status=9xx", "method=FETCH", "code=%00", "limit=0", "nothing=1"])
    assert.ok([400, 422].includes((await ours.get(`/portal/api/requests?${query}`)).status), query);
});

test("another account's request is not there for anybody else, and a key can't read the log", async () => {
  const refused = await who.refused({ to: "13", message: "Hello" });
  await ours.found(refused.request_id);
  assert.deepEqual((await theirs.list(`id=${refused.request_id}`)).data, []);
  assert.equal((await theirs.get(`/portal/api/requests/${refused.request_id}`)).status, 404);
  const byKey = await who.get<Problem>("/portal/api/requests");
  assert.equal(byKey.status, 401);
});

test("what a person does in the portal is theirs, and what its pages only look at for themselves is not kept", async () => {
  const owner = await reader(who.accountId, "owner");
  const listed = await fetch(`${rig.gateway.base}/orders`, { headers: owner.headers });
  const found = await ours.found(listed.headers.get("request-id") ?? "");
  assert.deepEqual([found.person, found.key], [{ id: encodeId("usr", owner.personId), name: "owner" }, null]);
  assert.ok((await ours.list("limit=100")).data.every(({ path }) => !path.startsWith("/portal/api/requests")));
});

test("what people only read is left out unless it is asked for, and what they change, are refused or programs do is not", async () => {
  const owner = await reader(who.accountId, "owner");
  const ask = async (path: string, init: RequestInit = {}) => {
    const json = init.body === undefined ? {} : { "content-type": "application/json" };
    const answer = await fetch(`${rig.gateway.base}${path}`, { ...init, headers: { ...owner.headers, ...json } });
    await answer.arrayBuffer();
    return answer.headers.get("request-id") ?? "";
  };
  const sent = await who.post<Message>("/sms/send", { to: phone(4), message: "Seen" });
  await who.status(sent.body.id);
  const read = await ask(`/sms/status/${sent.body.id}`);
  const refused = await ask("/sms/status/msg_none");
  const changed = await ask("/sms/send", {
    method: "POST",
    body: JSON.stringify({ to: phone(5), message: "By hand" }),
  });
  for (const id of [read, refused, changed]) await isWritten(id);

  const byDefault = (await ours.list("limit=100")).data;
  const ids = byDefault.map(({ id }) => id);
  assert.deepEqual([ids.includes(read), ids.includes(refused), ids.includes(changed)], [false, true, true]);
  assert.ok(byDefault.some(({ key, method }) => key && method === "GET"));
  const programs = (await ours.list("limit=100&by=programs")).data;
  assert.ok(programs.length > 0 && programs.every(({ key, person }) => key && !person));
  const people = (await ours.list("limit=100&by=people")).data;
  assert.ok(people.every(({ key, person }) => person && !key));
  assert.deepEqual(
    [read, refused, changed].filter((id) => !people.some((one) => one.id === id)),
    [],
  );
  const ofOrder = (await ours.list(`order=${sent.body.id}`)).data;
  assert.ok(ofOrder.length === 2 && ofOrder.every(({ key }) => key));
  assert.deepEqual(
    (await ours.list(`order=${sent.body.id}&by=people`)).data.map(({ id }) => id),
    [read],
  );
  assert.ok([400, 422].includes((await ours.get("/portal/api/requests?by=robots")).status));
});

test("what makes a key or a webhook leaves neither key nor secret in the log", async () => {
  const owner = await reader(who.accountId, "owner");
  const ask = async (path: string, body: object) => {
    const answer = await fetch(`${rig.gateway.base}${path}`, {
      method: "POST",
      headers: { ...owner.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201);
    const id = answer.headers.get("request-id") ?? "";
    await ours.found(id);
    return { shown: JSON.stringify(await ours.inFull(id)), body: (await answer.json()) as Record<string, string> };
  };
  const made = await ask("/portal/api/keys", {});
  assert.ok(made.body.key && !made.shown.includes(made.body.key));
  const hook = await ask("/webhooks", { url: "https://hooks.example.com/canary?token=canary" });
  const { secret } = hook.body;
  assert.ok(secret && !hook.shown.includes(secret) && !hook.shown.includes(secret.slice(6)));
  assert.match(hook.shown, /https:\/\/hooks\.example\.com/);
  assert.doesNotMatch(hook.shown, /canary/);
});

test("a caller who has gone before the answer finds it here", async () => {
  const gone = new AbortController();
  const body = JSON.stringify({ to: phone(3), message: "Gone", reference: "gone-1" });
  const asked = fetch(`${rig.gateway.base}/sms/send`, {
    method: "POST",
    headers: { "x-api-key": who.key, "content-type": "application/json", prefer: "wait=20" },
    body,
    signal: gone.signal,
  });
  setImmediate(() => gone.abort());
  await assert.rejects(asked);
  // Whether it was read before the connection broke is chance: then the order is there, and so is its request.
  const { data } = (await who.get<{ data: readonly Message[] }>("/sms/messages?reference=gone-1")).body;
  if (data[0]) await waitFor("its request", async () => (await ours.list(`order=${data[0]!.id}`)).data[0]);
});

test("a flood of refused requests of one account pushes no other's out", async () => {
  const sent = Array.from({ length: 400 }, () => other.post("/sms/sned", {}));
  const mine = await who.refused({ to: "14", message: "Hello" });
  await Promise.all(sent);
  await ours.found(mine.request_id);
});

test("a rate-limited request is found", async () => {
  const small = await rig.subscriber({ plan: "free" });
  const messages = Array.from({ length: 101 }, (_, index) => ({ to: phone(index), message: "Hello" }));
  const limited = await small.post<Problem>("/sms/bulk", { messages });
  assert.deepEqual([limited.status, limited.body.code], [429, "rate_limited"]);
  const found = await (await reader(small.accountId, "viewer")).found(limited.body.request_id);
  assert.deepEqual([found.status, found.code], [429, "rate_limited"]);
});

test("what was answered before the gateway stops is in the log afterwards", async () => {
  const refused = await who.refused({ to: "15", message: "The last one" });
  await rig.gateway.stop();
  const { rows } = await rig.db.query("select id from request_log where account_id = $1 and request_body like $2", [
    who.accountId,
    "%The last one%",
  ]);
  assert.equal(rows.length, 1, refused.request_id);
});

rig.provesItsLedger();
