import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, onSendHookHandler, RouteOptions } from "fastify";
import { type FairRoomOptions, type Leave, makeFairRoom } from "../kernel/fair-room.ts";
import { refusal } from "../kernel/refusal.ts";
import { CallerGone } from "../kernel/slices.ts";
import { callerOf } from "./authenticate.ts";
import type { LargeWork } from "./edge.ts";
import { readJsonBody } from "./json-body.ts";
import { RefusedError } from "./problems.ts";
import { sendRefusal } from "./refuse.ts";

export interface LargeWorkLimits {
  /** Bodies on their way in, in bytes: a request that waits for room is not read. */
  readonly bodies: FairRoomOptions;
  /** Requests that are worked on. */
  readonly work: FairRoomOptions;
}

const MIB = 1024 * 1024;

/** Under the time that a request may take to arrive, so that one which got its room late can still be read. */
const WAIT_MS = 20_000;

/** An account has one in work and the next one coming in; two accounts are worked on at once, as one of them is often at the database. */
export const LARGE_WORK_LIMITS: LargeWorkLimits = {
  bodies: { capacity: 64 * MIB, each: 8 * MIB, waitingMax: 2_000, waitingEach: 300, waitMs: WAIT_MS },
  work: { capacity: 2, each: 1, waitingMax: 2_000, waitingEach: 300, waitMs: WAIT_MS },
};

const OVERLOADED = refusal(
  "overloaded",
  "More large requests than can be worked on are waiting, most of them perhaps your own. This request was not carried out; if an earlier one with the same Idempotency-Key or reference was accepted, that stands. Send it again in a few seconds.",
  { retryAfterSeconds: 5 },
);

export interface LargeRequests {
  /** Makes the route wait for room before its body is read. */
  prepare(route: RouteOptions): void;
  /** The body of such a request: waits for the account's turn, looks, then parses in slices. */
  read(request: FastifyRequest, bytes: Buffer): Promise<unknown>;
}

/**
 * Large requests one after another: each account has its place and its turn, so that many of one account's keep neither
 * others' nor anybody's small ones waiting. What waits is not read, and so takes no memory.
 */
export function makeLargeRequests(limits: LargeWorkLimits): LargeRequests {
  const bodies = makeFairRoom(limits.bodies);
  const work = makeFairRoom(limits.work);

  const admit: onRequestAsyncHookHandler = async (request, reply) => {
    const { bodyLimit } = request.routeOptions;
    const declared = Number(request.headers["content-length"] ?? bodyLimit);
    if (declared > bodyLimit) return; // refused before it is read
    request.work = workOf(reply);
    const leave = await bodies.enter(callerOf(request).accountId, declared, request.work.gone);
    if (leave) request.work.turns.push(leave);
    else return sendRefusal(reply, OVERLOADED);
  };

  const ended: onSendHookHandler = (request, _reply, payload, done) => {
    request.work?.end();
    done(null, payload);
  };

  return {
    prepare(route) {
      route.onRequest = [...[route.onRequest ?? []].flat(), admit];
      route.onSend = [ended, ...[route.onSend ?? []].flat()];
    },
    async read(request, bytes) {
      const { large } = request.routeOptions.config;
      const { gone, turns } = request.work!;
      const leave = await work.enter(callerOf(request).accountId, 1, gone);
      if (!leave) throw gone.aborted ? new CallerGone() : new RefusedError(OVERLOADED);
      turns.push(leave);
      const refused = await large?.look?.(request, bytes);
      if (refused) throw new RefusedError(refused);
      return request.server.edge.inSlices(readJsonBody(bytes, large?.itemTexts), gone);
    },
  };
}

function workOf({ raw }: FastifyReply): LargeWork {
  const gone = new AbortController();
  const turns: Leave[] = [];
  const end = () => {
    for (const leave of turns.splice(0)) leave();
  };
  raw.once("close", () => {
    if (!raw.writableFinished) gone.abort();
    end();
  });
  return { gone: gone.signal, end, turns };
}
