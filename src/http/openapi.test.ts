import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorCode } from "../kernel/refusal.ts";
import { ALL_PROBLEMS } from "../testing/all-problems.ts";
import { makeRig } from "../testing/http-rig.ts";
import { openApiFaults } from "../testing/openapi-check.ts";
import { Models, type Schema } from "./openapi-models.ts";
import { makeResponses } from "./openapi-refusals.ts";
import { makeProblemSchemas, problemName } from "./problem-schemas.ts";

interface Answer {
  readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The models of the problems that an operation answers with, a union's own among them. */
function problemsOf(responses: Readonly<Record<string, Answer>>, { schemas }: Components): readonly string[] {
  const named = ({ $ref, oneOf = [] }: Schema): readonly string[] => {
    const name = String($ref ?? "").replace("#/components/schemas/", "");
    const choices = (schemas[name]?.oneOf ?? oneOf) as readonly Schema[];
    return choices.length > 0 ? choices.flatMap(named) : [name];
  };
  return Object.values(responses).flatMap(({ content }) => named(content["application/problem+json"]?.schema ?? {}));
}

async function documentOf() {
  const { app } = await makeRig();
  const answer = await app.inject("/openapi.json");
  assert.equal(answer.statusCode, 200);
  return answer.json();
}

test("the document is whole: every operation is named, every outcome has an example that fits, every reference resolves", async () => {
  assert.deepEqual(openApiFaults(await documentOf()), []);
});

test("the check of the document finds what is missing", () => {
  const faults = openApiFaults({
    openapi: "3.1.0",
    paths: {
      "/a": {
        post: {
          operationId: "a",
          requestBody: {
            content: { "application/json": { schema: { type: "object" }, examples: { one: { value: "text" } } } },
          },
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/None" } } } } },
        },
      },
    },
  });
  assert.deepEqual(faults, [
    "#/components/schemas/None leads nowhere",
    "POST /a has no summary",
    "POST /a has no description",
    "POST /a has no tags",
    "POST /a has no x-idempotency",
    "POST /a has no security",
    "POST /a: 200 has no example",
    "POST /a: the request has no named model",
    "POST /a: an example of the request does not fit its schema: data must be object",
    "POST /a: 400 is not described",
    "POST /a: 500 is not described",
  ]);
});

test("an operation names its scope, limit, idempotency and all codes that it can answer with", async () => {
  const { paths, components, security } = await documentOf();
  const send = paths["/sms/send"].post;
  assert.deepEqual([security, send.security], [[{ apiKey: [] }], undefined]);
  assert.equal(send["x-scope"], "send");
  assert.equal(send["x-rate-limit-policy"], "sms-send");
  assert.equal(send["x-idempotency"], "optional");
  const problems = problemsOf(send.responses, components);
  for (const code of ["insufficient_balance", "invalid_json", "not_subscribed", "rate_limited"] as const)
    assert.ok(problems.includes(problemName(code)), code);
});

test("every code that an operation can answer with has a model and an example of its own", async () => {
  const { paths, components } = await documentOf();
  const problems = problemsOf(paths["/sms/send"].post.responses, components).filter((name) => name !== "");
  assert.ok(problems.length > 20);
  for (const name of problems) {
    const [code] = components.schemas[name].allOf[1].properties.code.enum;
    assert.equal(problemName(code), name);
    assert.equal(components.examples[code].value.code, code);
  }
});

test("an answer that several operations have is written once, and named", () => {
  const refusals = (status: number, ...codes: ErrorCode[]) => ({ status, codes, headers: {} });
  const [missing, conflict, duplicate, own] = [
    refusals(404, "not_found"),
    refusals(409, "idempotency_in_progress", "reference_already_used"),
    refusals(409, "idempotency_in_progress", "possible_duplicate", "reference_already_used"),
    refusals(409, "invalid_state"),
  ];
  const all = [missing, missing, conflict, conflict, duplicate, duplicate, own];
  const responses = makeResponses(all, new Models(), makeProblemSchemas(ALL_PROBLEMS));
  const named = all.map((each) => responses.of(each)).map((shown) => ("$ref" in shown ? shown.$ref.slice(23) : "here"));
  const [a, b, c] = ["NotFound", "Conflict", "ConflictPossibleDuplicate"];
  assert.deepEqual(named, [a, a, b, b, c, c, "here"]);
  assert.deepEqual(Object.keys(responses.shared()), [b, c, a]);
});

test("a union of problems refers to the largest that it has all of", () => {
  const refusals = (...codes: ErrorCode[]) => ({ status: 409, codes, headers: {} });
  const [some, more] = [
    refusals("idempotency_in_progress", "reference_already_used"),
    refusals("idempotency_in_progress", "possible_duplicate", "reference_already_used"),
  ];
  const models = new Models();
  const responses = makeResponses([some, some, more], models, makeProblemSchemas(ALL_PROBLEMS));
  responses.of(some);
  assert.partialDeepStrictEqual(responses.of(more), {
    content: {
      "application/problem+json": {
        schema: {
          oneOf: [
            { $ref: "#/components/schemas/ConflictProblem" },
            { $ref: "#/components/schemas/PossibleDuplicateProblem" },
          ],
        },
      },
    },
  });
  const { oneOf } = models.all().ConflictProblem ?? {};
  assert.ok(Array.isArray(oneOf) && oneOf.length === 2);
});

test("routes that are not for subscribers are not in the document", async () => {
  const { paths } = await documentOf();
  assert.deepEqual(Object.keys(paths), ["/sms/send"]);
});

test("an operation tells the headers that may be sent and those that are answered", async () => {
  const { paths, components } = await documentOf();
  const { parameters, responses } = paths["/sms/send"].post;
  const named = parameters.map(
    ({ $ref }: { $ref: string }) => components.parameters[$ref.split("/").at(-1) ?? ""].name,
  );
  assert.deepEqual(named, ["Idempotency-Key", "Afara-Version"]);
  assert.deepEqual(Object.keys(responses[202].headers), ["Request-Id", "RateLimit", "Idempotent-Replayed"]);
  assert.deepEqual(Object.keys(responses[429].headers), [
    "Request-Id",
    "Afara-Version",
    "RateLimit-Policy",
    "RateLimit",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "Deprecation",
    "Sunset",
    "Retry-After",
  ]);
  assert.ok("Retry-After" in responses[429].headers);
  assert.ok(!("Retry-After" in responses[400].headers));
});

test("who is asked for a key is told where it is", async () => {
  const { components } = await documentOf();
  assert.match(components.securitySchemes.apiKey.description, /data\/test-key/);
});
