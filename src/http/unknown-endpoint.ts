import type { FastifyReply, FastifyRequest } from "fastify";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import type { RouteEntry } from "./edge.ts";
import { editDistance } from "./near.ts";
import { openApiPath } from "./openapi-operation.ts";
import { sendRefusal } from "./refuse.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Answers what no route takes: 405 with `Allow` (204 to OPTIONS) for a path that exists, else 404 that names near ones.
 */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { server } = request;
  const path = request.url.split("?", 1)[0] ?? "";
  const allowed = METHODS.filter((method) => server.findRoute({ method, url: path }) !== null);
  if (allowed.length === 0) return sendRefusal(reply, unknownEndpoint(request.method, path, server.edge.routes));
  if (allowed.some((method) => method === request.method)) {
    return sendRefusal(reply, refusal("not_found", "There is nothing under this name.")); // the route itself called for this
  }
  reply.header("allow", allowed.join(", "));
  if (request.method === "OPTIONS") return reply.code(204).send();
  const detail = `This endpoint takes ${allowed.join(", ")}, not ${request.method}.`;
  return sendRefusal(reply, refusal("method_not_allowed", detail));
}

function unknownEndpoint(method: string, path: string, routes: readonly RouteEntry[]): Refusal {
  const near = nearRoutes(path, routes);
  const hint = near.length > 0 ? ` Near ones: ${near.join(", ")}.` : " See /docs for all endpoints.";
  return refusal("unknown_endpoint", `There is no ${method} endpoint at this path.${hint}`, { members: { near } });
}

const COMPARED_LENGTH_MAX = 100; // a stranger chooses the path, and the work grows with its length
const NEAR_MAX = 5;

/**
 * Endpoints of the same first step, as `POST /airtime/send` has, and those whose path is a few letters away; nearest
 * first.
 */
function nearRoutes(path: string, routes: readonly RouteEntry[]): string[] {
  if (path.length > COMPARED_LENGTH_MAX) return [];
  const given = path.split("/");
  return routes
    .filter(({ method, schema }) => method !== "HEAD" && !schema.hide)
    .map(({ method, url }) => {
      const steps = url.split("/");
      // A parameter fits whatever stands in its place.
      const filled = steps.map((step, index) => (step.startsWith(":") ? (given[index] ?? step) : step)).join("/");
      const sameArea = steps.length > 2 && steps[1] === given[1];
      return { name: `${method} ${openApiPath(url)}`, distance: editDistance(path, filled), sameArea };
    })
    .filter(({ distance, sameArea }) => sameArea || distance <= 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAR_MAX)
    .map(({ name }) => name);
}
