import type { FastifyReply, FastifyRequest } from "fastify";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { editDistance } from "../kernel/spelling.ts";
import type { RouteEntry } from "./edge.ts";
import { openApiPath } from "./openapi-path.ts";
import { sendRefusal } from "./refuse.ts";
import { isBrowser, pathOf, sendUnknownPage } from "./unknown-page.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Answers what no route takes: 405 with `Allow` (204 to OPTIONS) for a path that exists, else 404 that names near ones. A
 * browser gets it as a page.
 */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { server } = request;
  const path = pathOf(request);
  reply.header("vary", "Accept");
  const refuse = (refused: Refusal) =>
    isBrowser(request) ? sendUnknownPage(request, reply, refused) : sendRefusal(reply, refused);
  const allowed = METHODS.filter((method) => server.findRoute({ method, url: path }) !== null);
  if (allowed.length === 0) return refuse(unknownEndpoint(request.method, path, server.edge.routes));
  if (allowed.some((method) => method === request.method)) {
    return refuse(refusal("not_found", "There is nothing under this name.")); // the route itself called for this
  }
  reply.header("allow", allowed.join(", "));
  if (request.method === "OPTIONS") return reply.code(204).send();
  return refuse(refusal("method_not_allowed", `This endpoint takes ${allowed.join(", ")}, not ${request.method}.`));
}

function unknownEndpoint(method: string, path: string, routes: readonly RouteEntry[]): Refusal {
  const unversioned = path.replace(VERSION_PREFIX, "");
  const near = nearRoutes(method, unversioned, routes);
  const version = unversioned === path ? "" : " Paths have no version prefix.";
  const hint = near.length > 0 ? ` Near ones: ${near.join(", ")}.` : " See /docs for all endpoints.";
  const detail = `There is no ${method} endpoint at this path.${version}${hint}`;
  return refusal("unknown_endpoint", detail, { members: { near } });
}

/** `/v1` and `/api/v1`, as other gateways have it. */
const VERSION_PREFIX = /^(?:\/api)?\/v\d{1,2}(?=\/|$)|^\/api(?=\/|$)/;

const COMPARED_LENGTH_MAX = 100; // a stranger chooses the path, and the work grows with its length
const NEAR_MAX = 3;
/** How many letters the right path under another method is as far away as. */
const OTHER_METHOD_STEPS = 2;

/**
 * The best few of the endpoints of the same first step, as `POST /airtime/send` has, of those with the same last one, as
 * `GET /sms/usage`, and of those whose path is a few letters away.
 */
function nearRoutes(method: string, path: string, routes: readonly RouteEntry[]): string[] {
  if (path.length > COMPARED_LENGTH_MAX) return [];
  const given = path.split("/");
  return routes
    .filter((route) => route.method !== "HEAD" && !route.schema.hide)
    .map((route) => {
      const steps = route.url.split("/");
      const letters = editDistance(path, filled(steps, given, examplesOf(route)).join("/"));
      const distance = letters + (route.method === method ? 0 : OTHER_METHOD_STEPS);
      const sameArea = steps.length > 1 && steps[1] === given[1];
      const sameName = steps.at(-1) === given.at(-1);
      return { name: `${route.method} ${openApiPath(route.url)}`, letters, distance, akin: sameArea || sameName };
    })
    .filter(({ letters, akin }) => akin || letters <= 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAR_MAX)
    .map(({ name }) => name);
}

/**
 * The route's steps with what was given in place of its parameters: what looks like the parameter's example, wherever it
 * stands (`/sms/msg_…` lacks a step, but names a message), else what stands in the same place.
 */
const filled = (steps: readonly string[], given: readonly string[], examples: Examples): string[] =>
  steps.map((step, index) => {
    if (!step.startsWith(":")) return step;
    const prefix = idPrefix(examples[step.slice(1)] ?? "");
    const alike = prefix === undefined ? undefined : given.find((candidate) => idPrefix(candidate) === prefix);
    return alike ?? given[index] ?? step;
  });

/** `msg` of `msg_01kb3v9q4ze1xb8m6t2r5y7w0n`. */
const idPrefix = (text: string): string | undefined => /^([a-z]{3})_/.exec(text)?.[1];

type Examples = Readonly<Record<string, string | undefined>>;

/** The first example of each path parameter, as the route's schema has it. */
function examplesOf({ schema }: RouteEntry): Examples {
  const { properties = {} } = (schema.params ?? {}) as {
    readonly properties?: Record<string, { examples?: unknown[] }>;
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { examples }]) => [name, String(examples?.[0] ?? "")]),
  );
}
