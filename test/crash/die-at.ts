import { existsSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import pg from "pg";

/**
 * Loaded before the program (`node --import`), so that it ends itself with SIGKILL, or stands still with SIGSTOP, at a named point
 * of a purchase:
 *   AFARA_TEST_DIE_AT=<point> AFARA_TEST_DIE_FILE=<path> [AFARA_TEST_DIE_SIGNAL=SIGSTOP]
 * The points are where the program meets the outside, its database and the vendor: nothing in the program knows of them. It happens
 * once, when the file is there; the test makes it right before it buys.
 */
const POINTS = [
  "before-commit",
  "after-begin-before-call",
  "before-write",
  "after-answer-before-recording",
  "after-recording-before-reply",
] as const;

type Point = (typeof POINTS)[number];

/** Where each vendor is asked to sell. */
const VEND = /\/(?:api\/pay|topups-async|v2\/vend\?.*)$/;

const { AFARA_TEST_DIE_AT: wanted, AFARA_TEST_DIE_FILE: file, AFARA_TEST_DIE_SIGNAL: signal = "SIGKILL" } = process.env;

function reached(point: Point): void {
  if (point !== wanted || file === undefined || !existsSync(file)) return;
  rmSync(file);
  process.kill(process.pid, signal);
}

const call = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  if (!VEND.test(String(input))) return call(input, init);
  reached("after-begin-before-call");
  const response = await call(input, init);
  const text = await response.text();
  reached("after-answer-before-recording");
  return new Response(text, response);
};

const REQUEST_LINE = /^POST \S*(?:\/api\/pay|\/topups-async|\/v2\/vend\?\S*) HTTP/;
const { write } = Socket.prototype;
Socket.prototype.write = function (this: Socket, ...given: readonly unknown[]) {
  if (typeof given[0] === "string" && REQUEST_LINE.test(given[0])) reached("before-write");
  return Reflect.apply(write, this, given);
} as typeof write;

interface Statement {
  readonly name?: string;
  readonly values?: readonly unknown[];
}

const { query } = pg.Client.prototype;
pg.Client.prototype.query = async function (this: pg.Client, ...given: readonly [string | Statement]) {
  const [{ name, values = [] }] = typeof given[0] === "string" ? [{}] : [given[0]];
  if (name === "accept_orders_and_begin") reached("before-commit");
  const result: unknown = await Reflect.apply(query, this, given);
  const isSuccess = values.some((value) => String(value).includes('"successful"'));
  if (name === "change_orders" && isSuccess) reached("after-recording-before-reply");
  return result;
} as typeof query;
