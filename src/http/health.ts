import type { FastifyPluginCallback } from "fastify";
import { within } from "../kernel/deadline.ts";

/** The conditions for a node to take traffic, by name. A vendor's failure is not among them: other routes may serve. */
export interface Readiness {
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>;
}

/** A check's time limit: a database that needs more than a second is of no use. */
const CHECK_TIMEOUT_MS = 1_000;

/**
 * `/livez`: the process answers; it checks nothing else, as a restart repairs nothing outside. `/readyz`: the node accepts
 * requests.
 */
export const healthRoutes: FastifyPluginCallback<Readiness> = (app, { checks }, done) => {
  app.get("/livez", { config: { auth: "public" }, schema: { hide: true } }, () => ({ status: "alive" }));

  app.get("/readyz", { config: { auth: "public" }, schema: { hide: true } }, async (_request, reply) => {
    const failing = await failingChecks(checks);
    if (app.edge.draining) failing.push("draining");
    if (failing.length === 0) return { status: "ready" };
    return reply.code(503).send({ status: "not_ready", failing });
  });

  done();
};

async function failingChecks(checks: Readiness["checks"]): Promise<string[]> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ((await passes(check)) ? undefined : name)),
  );
  return results.filter((name) => name !== undefined);
}

/** A stall of this process must not fail the check. */
const passes = async (check: () => Promise<boolean>): Promise<boolean> =>
  (await within(
    check().catch(() => false),
    CHECK_TIMEOUT_MS,
  )) ?? false;
