import type { IncomingMessage } from "node:http";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { letContinue } from "./expect-continue.ts";
import { RefusedError } from "./problems.ts";

/** A body that is being read. */
export interface Reading {
  readonly bytes: Promise<Buffer>;
  /** Aborts: `bytes` rejects with the refusal, received bytes are dropped, and no more are read. */
  refuse(why: Refusal): void;
}

/** Memory is allocated in blocks of this size as the body arrives, as the announced length may be false. */
const BLOCK_BYTES = 64 * 1024;

/** Bodies that are no longer read. */
const GIVEN_UP = new WeakSet<IncomingMessage>();

export const isGivenUp = (stream: IncomingMessage): boolean => GIVEN_UP.has(stream);

const WRONG_LENGTH = refusal("malformed_request", "The body is not as long as Content-Length says.");

/**
 * Reads a body into one buffer, however small its chunks are. `came` is called for each chunk.
 * Errors: `tooLarge` when it is longer than `limit`; `malformed_request` when it is not as long as announced; the stream's own
 * error when the connection breaks.
 */
export function readBody(
  stream: IncomingMessage,
  limit: number,
  tooLarge: Refusal,
  came?: (bytes: number) => void,
): Reading {
  const announced = stream.headers["content-length"];
  const length = announced === undefined ? undefined : Number(announced);
  let blocks: Buffer[] = [];
  let size = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();

  const stop = () => {
    stream.off("data", take).off("end", finish).off("error", fail).off("close", broken);
  };
  const fail = (error: Error) => {
    stop();
    stream.pause();
    GIVEN_UP.add(stream);
    blocks = [];
    reject(error);
  };
  const refuse = (why: Refusal) => fail(new RefusedError(why));
  const broken = () => fail(Object.assign(new Error("the connection broke"), { code: "ECONNRESET" }));
  const store = (chunk: Buffer) => {
    for (let from = 0; from < chunk.length; ) {
      const at = (size + from) % BLOCK_BYTES;
      if (at === 0) blocks.push(Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, (length ?? limit) - size - from)));
      from += chunk.copy(blocks.at(-1)!, at, from);
    }
  };
  const take = (chunk: Buffer) => {
    if (size + chunk.length > limit) return refuse(tooLarge);
    if (size === 0 && chunk.length === length)
      blocks = [chunk]; // all of it at once, as most are
    else store(chunk);
    size += chunk.length;
    came?.(chunk.length);
  };
  const finish = () => {
    if (length !== undefined && size !== length) return refuse(WRONG_LENGTH);
    stop();
    resolve(blocks.length === 1 ? blocks[0]!.subarray(0, size) : Buffer.concat(blocks, size));
  };

  if (length !== undefined && length > limit) refuse(tooLarge);
  else {
    letContinue(stream);
    stream.on("data", take).on("end", finish).on("error", fail).on("close", broken).resume();
  }
  return { bytes: promise, refuse };
}
