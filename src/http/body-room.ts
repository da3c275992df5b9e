import type { IncomingMessage } from "node:http";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { RefusedError } from "./problems.ts";

export interface BodyRoomOptions {
  /** Bytes of all bodies together that have come in and are not yet done with. */
  readonly capacity: number;
  /** Of one owner. */
  readonly each: number;
  /** A body that takes longer to arrive is refused. */
  readonly arriveMs: number;
}

/**
 * The memory that bodies take while they come in. Counted is what has come, not what was announced. When it is full, the oldest
 * unfinished body of whoever holds most gives way: whoever sends slowly, or much, keeps nobody else out.
 */
export interface BodyRoom {
  open(owner: string): Hold;
  readonly held: number;
}

/** The place of one body. */
export interface Hold {
  /**
   * The whole body. Errors: `RefusedError`: larger than `limit`, not as long as announced, too slow, or no room; the rest of such
   * a body is dropped as it comes. Rejects with the stream's own error when the connection breaks.
   */
  read(stream: IncomingMessage, limit: number): Promise<Buffer>;
  /** Nobody needs the bytes any more. */
  end(): void;
}

interface Arriving {
  bytes: number;
  refuse(why: Refusal): void;
}

export function makeBodyRoom({ capacity, each, arriveMs }: BodyRoomOptions): BodyRoom {
  const heldBy = new Map<string, number>();
  /** Unfinished ones by owner, the oldest first. */
  const arriving = new Map<string, Set<Arriving>>();
  let held = 0;

  const add = (owner: string, bytes: number) => {
    held += bytes;
    const own = (heldBy.get(owner) ?? 0) + bytes;
    if (own > 0) heldBy.set(owner, own);
    else heldBy.delete(owner);
  };

  const largest = (): string | undefined => {
    let most: string | undefined;
    for (const owner of arriving.keys())
      if (most === undefined || (heldBy.get(owner) ?? 0) > (heldBy.get(most) ?? 0)) most = owner;
    return most;
  };

  /** Refuses unfinished bodies until what is held fits. */
  const makeRoom = (owner: string) => {
    for (;;) {
      const isOwnFault = (heldBy.get(owner) ?? 0) > each;
      if (!isOwnFault && held <= capacity) return;
      const from = isOwnFault ? owner : largest();
      const [oldest] = (from !== undefined && arriving.get(from)) || [];
      if (!oldest) return;
      oldest.refuse(NO_ROOM);
    }
  };

  return {
    open(owner) {
      let bytes = 0;
      const end = () => {
        add(owner, -bytes);
        bytes = 0;
      };
      const read = (stream: IncomingMessage, limit: number) =>
        new Promise<Buffer>((resolve, reject) => {
          const announced = stream.headers["content-length"];
          const length = announced === undefined ? undefined : Number(announced);
          if (length !== undefined && length > limit) {
            reject(new RefusedError(tooLarge(limit)));
            return;
          }
          // Memory that nothing is written to costs nothing, so an announced length may be asked for at once.
          let buffer = Buffer.allocUnsafeSlow(Math.min(length ?? START_BYTES, limit));
          const own: Arriving = { bytes: 0, refuse: (why) => stop(() => reject(new RefusedError(why))) };
          const unfinished = arriving.get(owner) ?? new Set();
          arriving.set(owner, unfinished.add(own));

          const stop = (settle: () => void) => {
            clearTimeout(timer);
            stream.off("data", take).off("end", finish).off("error", fail).off("close", close);
            stream.resume(); // what still comes is dropped
            unfinished.delete(own);
            if (unfinished.size === 0 && arriving.get(owner) === unfinished) arriving.delete(owner);
            settle();
          };
          const refuse = (why: Refusal) => {
            end();
            own.refuse(why);
          };
          own.refuse = (why) => {
            end();
            buffer = NOTHING;
            stop(() => reject(new RefusedError(why)));
          };
          const take = (chunk: Buffer) => {
            const size = bytes + chunk.length;
            if (size > limit) return refuse(tooLarge(limit));
            if (size > buffer.length)
              buffer = Buffer.concat([buffer], Math.min(limit, Math.max(size, 2 * buffer.length)));
            chunk.copy(buffer, bytes);
            bytes = size;
            add(owner, chunk.length);
            makeRoom(owner);
          };
          const finish = () => {
            if (length !== undefined && bytes !== length) return refuse(WRONG_LENGTH);
            stop(() => resolve(buffer.subarray(0, bytes)));
          };
          const fail = (error: Error) => {
            end();
            stop(() => reject(error));
          };
          const close = () => fail(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
          const timer = setTimeout(() => refuse(TOO_SLOW), arriveMs);
          timer.unref();
          stream.on("data", take).on("end", finish).on("error", fail).on("close", close);
          stream.resume();
        });
      return { read, end };
    },
    get held() {
      return held;
    },
  };
}

const START_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

const tooLarge = (limit: number): Refusal =>
  refusal("payload_too_large", `The body is larger than this endpoint takes: ${Math.floor(limit / 1024)} KiB.`);
const WRONG_LENGTH = refusal("malformed_request", "The body is not as long as Content-Length says.");
const TOO_SLOW = refusal("request_timeout", "The body did not arrive whole in time. Nothing was done; send it again.");
const NO_ROOM = refusal(
  "overloaded",
  "More bodies are on their way in than there is memory for. Nothing was done; send it again in a few seconds.",
  { retryAfterSeconds: 5 },
);
