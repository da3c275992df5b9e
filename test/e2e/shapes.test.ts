import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeFaults } from "../../src/testing/shape-check.ts";
import { assertProblem, type Problem, startRig } from "./rig.ts";

/** What all answers have in common, looked at in the document of the running program. */
const rig = await startRig();
/** Whose lists of webhooks are called: all lists of one account would be more calls than it has in a minute. */
const owner = await rig.subscriber();
const { body: webhook } = await owner.post<{ id: string }>("/webhooks", { url: "http://127.0.0.1:1025/" });

interface Media {
  readonly schema?: {
    readonly properties?: { readonly object?: { readonly const?: string; readonly enum?: readonly string[] } };
    readonly $ref?: string;
  };
}
interface Operation {
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
const { body: document } = await rig.local.get<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Media["schema"]>> };
}>("/openapi.json");

const objectOf = (media: Media | undefined): string | undefined => {
  const { $ref } = media?.schema ?? {};
  const schema = $ref === undefined ? media?.schema : document.components.schemas[$ref.split("/").at(-1)!];
  const { const: word, enum: words } = schema?.properties?.object ?? {};
  return word ?? words?.[0];
};

test("money, bounds, charges and objects have one shape in every answer, and in every example of a refusal", () => {
  assert.deepEqual(shapeFaults(document), []);
});

const LISTS = Object.entries(document.paths).flatMap(([path, { get }]) => {
  const content = get?.responses[200]?.content ?? {};
  return objectOf(content["application/json"]) === "list" ? [{ path, forms: Object.keys(content) }] : [];
});

test("the lists are known", () => {
  for (const path of [
    "/services",
    "/airtime/data/plans",
    "/electricity/discos",
    "/cable/plans",
    "/cable/providers",
    "/wallet/transactions",
    "/sms/messages",
  ])
    assert.ok(
      LISTS.some((list) => list.path === path),
      path,
    );
  assert.ok(LISTS.length >= 12, `${LISTS.length} lists`);
});

const call = (path: string, accept: string, method = "GET") =>
  fetch(`${rig.gateway.base}${path.replace("{webhook_id}", webhook.id)}`, {
    method,
    headers: { "x-api-key": path.startsWith("/webhooks") ? owner.key : rig.local.key, accept },
  });

const typeOf = (answer: Response): string => answer.headers.get("content-type")?.split(";")[0] ?? "";

for (const { path, forms } of LISTS) {
  const hasCsv = forms.includes("text/csv");
  for (const [accept, asJson] of [
    ["*/*", true],
    ["application/json", true],
    ["application/json, text/plain, */*", true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    ["text/csv;q=0.1, application/json", true],
    ["text/csv;q=0, */*", true],
    ["text/csv", false],
    ["Text/CSV; charset=utf-8", false],
    ["text/*", false],
    ["text/csv, */*;q=0", false],
    ["application/json;q=0, text/csv", false],
    ["application/json;q=0, text/csv;q=0.5, application/pdf", false],
  ] as const)
    test(`${path} with Accept: ${accept} gives ${asJson ? "JSON" : hasCsv ? "CSV" : "406"}`, async () => {
      for (const method of ["GET", "HEAD"]) {
        const answer = await call(path, accept, method);
        assert.match(answer.headers.get("vary") ?? "", /\baccept\b(?!-)/i);
        const type = asJson ? "application/json" : hasCsv ? "text/csv" : "application/problem+json";
        assert.deepEqual([answer.status, typeOf(answer)], [asJson || hasCsv ? 200 : 406, type], method);
        await answer.arrayBuffer();
      }
    });

  test(`${path} says what it comes as to who wants none of it`, async () => {
    const answer = await call(path, "application/pdf, image/*");
    const body = (await answer.json()) as Problem;
    assertProblem({ status: answer.status, headers: answer.headers, body });
    assert.deepEqual([body.status, body.code], [406, "not_acceptable"]);
    for (const form of forms) assert.ok(body.detail.includes(form), body.detail);
  });
}

test("a list may be had as CSV only if its operation says so, and an unknown key is told first", async () => {
  assert.deepEqual(
    LISTS.filter(({ forms }) => forms.includes("text/csv")).map(({ path }) => path),
    ["/wallet/transactions"],
  );
  const answer = await fetch(`${rig.gateway.base}/sms/messages`, { headers: { accept: "text/csv" } });
  assert.equal(answer.status, 401);
});

test("of CSV and JSON that are liked the same the one that is named first is given", async () => {
  const both = async (accept: string) => {
    const answer = await call("/wallet/transactions", accept);
    await answer.arrayBuffer();
    return typeOf(answer);
  };
  assert.equal(await both("text/csv, application/json"), "text/csv");
  assert.equal(await both("application/json, text/csv"), "application/json");
  assert.equal(await both("text/csv, */*"), "text/csv");
  assert.equal(typeOf(await call("/wallet/transactions?format=json", "text/csv")), "application/json");
  assert.equal(typeOf(await call("/wallet/transactions?format=csv", "application/json")), "text/csv");
});

test("who buys never gets a purchase_check, and who only asks gets nothing else: each has its status", () => {
  const buying = Object.entries(document.paths).filter(([, { post }]) =>
    JSON.stringify(post?.requestBody ?? "").includes("validate_only"),
  );
  assert.ok(buying.length >= 3);
  for (const [path, { post }] of buying) {
    const objects = Object.entries(post!.responses).flatMap(([status, { content }]) =>
      status.startsWith("2") ? [[status, objectOf(content?.["application/json"]) === "purchase_check"]] : [],
    );
    assert.deepEqual(
      objects,
      [
        ["200", true],
        ["201", false],
        ["202", false],
      ],
      path,
    );
  }
});

rig.provesItsLedger();
