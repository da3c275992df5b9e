import type { FastifyPluginCallback } from "fastify";
import { within } from "../kernel/deadline.ts";

/** What must hold for a node to take traffic, by name. A vendor's trouble is none of it: other routes may serve. */
export interface Readiness {
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>;
}

/** Past this a check counts as failed: a database that answers after a second serves nobody. */
const CHECK_TIMEOUT_MS = 1_000;

/**
 * `/livez`: the process answers; it touches nothing, as a restart mends nothing outside. `/readyz`: it may be sent
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

/** A stall of our own is no fault of what is checked. */
const passes = async (check: () => Promise<boolean>): Promise<boolean> =>
  (await within(
    check().catch(() => false),
    CHECK_TIMEOUT_MS,
  )) ?? false;
