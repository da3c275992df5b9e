import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";

/** Postman's own runtime on the collection that the gateway serves: with nothing set but the key. */
const require = createRequire(join(import.meta.dirname, "..", "..", "clients", "package.json"));
const { Runner } = require("postman-runtime") as { Runner: new () => Runner };
const sdk = createRequire(require.resolve("postman-runtime"))("postman-collection") as Sdk;

interface Sdk {
  readonly Collection: new (json: object) => object;
  readonly VariableScope: new (values: readonly { key: string; value: string }[]) => object;
}
interface Runner {
  run(collection: object, options: object, begin: (error: Error | null, run: Run) => void): void;
}
interface Run {
  start(hooks: {
    response: (error: Error | null, cursor: object, answer: Sent | undefined, request: Asked, item: Named) => void;
    done: (error: Error | null) => void;
  }): void;
}
interface Named {
  readonly name: string;
}
interface Sent {
  readonly code: number;
}
interface Asked {
  readonly url: { toString(): string };
}

interface Item extends Named {
  readonly item?: readonly Item[];
  readonly request?: { readonly method: string; readonly header: readonly { key: string; disabled?: boolean }[] };
}

const data = await makeDataDir();
let gateway: Gateway;
let collection: { readonly item: readonly Item[]; readonly variable: readonly { key: string; value: string }[] };

before(async () => {
  gateway = await startGateway({ dataDir: data.dir });
  const { body } = await gateway.call<typeof collection>("GET", "/docs/afara.postman_collection.json");
  collection = body;
});

after(async () => {
  await gateway?.stop();
  await data.remove();
});

const itemsIn = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((one) => (one.item ? itemsIn(one.item) : [one]));

/** Calls that are refused as they stand, each for a reason that its operation names. */
const REFUSED: Readonly<Record<string, number>> = {
  "POST /sms/cancel/:id": 409, // it was sent already
  "POST /chat/send/text": 409, // nobody has written yet
  "POST /chat/send": 409,
  "POST /chat/send/media": 422, // a file is chosen by a person
  "POST /chat/send/interactive": 409,
  "POST /chat/media": 422,
  "GET /chat/media/:id": 404,
  "POST /webhooks/:id/replay": 409, // the change before it pauses the endpoint
  "PUT /subscriptions/sms": 403, // needs a live key
  "DELETE /subscriptions/sms": 403,
};
const ENDLESS = "GET /events/stream";

test("the collection is at the address where it was asked for, and has every operation once", async () => {
  assert.equal(collection.variable.find(({ key }) => key === "baseUrl")?.value, gateway.base);
  const { body } = await gateway.call<{ paths: Record<string, Record<string, { summary: string }>> }>(
    "GET",
    "/openapi.json",
  );
  const operations = Object.values(body.paths).flatMap((methods) =>
    Object.entries(methods).map(([method, { summary }]) => `${method.toUpperCase()} ${summary}`),
  );
  const requests = itemsIn(collection.item).map(({ name, request }) => `${request?.method} ${name}`);
  assert.deepEqual(requests.toSorted(), operations.toSorted());
});

test("Postman runs it: each request is answered as it should be, one after the other", async () => {
  const requests = itemsIn(collection.item).length;
  const runnable = without(collection, ENDLESS.split("/").at(-1) ?? "");
  const answered = await runWith(runnable);
  const wrong = answered.filter(([call, code]) =>
    call in REFUSED ? REFUSED[call] !== code : code < 200 || code > 299,
  );
  assert.deepEqual(wrong, []);
  assert.equal(answered.length, requests - 1);
});

/** All but the request whose address ends so. */
const without = (whole: typeof collection, end: string): object => ({
  ...whole,
  item: whole.item.map((folder) => ({
    ...folder,
    item: folder.item?.filter(({ request }) => !JSON.stringify(request).includes(`/${end}"`)),
  })),
});

function runWith(whole: object): Promise<readonly (readonly [call: string, code: number])[]> {
  const answered: (readonly [string, number])[] = [];
  const environment = new sdk.VariableScope([{ key: "apiKey", value: gateway.key }]);
  return new Promise((resolve, reject) => {
    new Runner().run(new sdk.Collection(whole), { environment }, (unread, run) => {
      if (unread) return reject(unread);
      run.start({
        response(error, _cursor, answer, request) {
          const path = request.url.toString().slice(gateway.base.length);
          const method = (request as Asked & { readonly method: string }).method;
          if (error) reject(new Error(`${method} ${path}: ${error.message}`));
          else answered.push([`${method} ${path.replace(/\b[a-z]{3}_[0-9a-z]{26}\b/, ":id")}`, answer?.code ?? 0]);
        },
        done: (error) => (error ? reject(error) : resolve(answered)),
      });
    });
  });
}
