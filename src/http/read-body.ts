import type { IncomingMessage } from "node:http";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { RefusedError } from "./problems.ts";

/** A body that is being read. */
export interface Reading {
  readonly bytes: Promise<Buffer>;
  /** Gives it up: `bytes` rejects with the refusal, what has come is forgotten, and what still comes is dropped. */
  refuse(why: Refusal): void;
}

const START_BYTES = 16 * 1024;

const WRONG_LENGTH = refusal("malformed_request", "The body is not as long as Content-Length says.");

/**
 * Reads a body into one piece of memory, however small the pieces are that it comes in. `came` is told of each.
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
  let buffer: Buffer | undefined;
  let size = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();

  const stop = () => {
    stream.off("data", take).off("end", finish).off("error", fail).off("close", broken);
    stream.resume();
  };
  const fail = (error: Error) => {
    stop();
    buffer = undefined;
    reject(error);
  };
  const refuse = (why: Refusal) => fail(new RefusedError(why));
  const broken = () => fail(Object.assign(new Error("the connection broke"), { code: "ECONNRESET" }));
  const take = (chunk: Buffer) => {
    if (size + chunk.length > limit) return refuse(tooLarge);
    if (size === 0 && chunk.length === length) {
      buffer = chunk; // all of it at once, as most are
    } else {
      // Memory that nothing is written to costs nothing, so what was announced may be asked for at once.
      buffer ??= Buffer.allocUnsafeSlow(Math.min(limit, length ?? START_BYTES));
      const needed = size + chunk.length;
      if (needed > buffer.length)
        buffer = Buffer.concat([buffer], Math.min(limit, Math.max(needed, 2 * buffer.length)));
      chunk.copy(buffer, size);
    }
    size += chunk.length;
    came?.(chunk.length);
  };
  const finish = () => {
    if (length !== undefined && size !== length) return refuse(WRONG_LENGTH);
    stop();
    resolve(buffer?.subarray(0, size) ?? NOTHING);
  };

  if (length !== undefined && length > limit) refuse(tooLarge);
  else stream.on("data", take).on("end", finish).on("error", fail).on("close", broken).resume();
  return { bytes: promise, refuse };
}

const NOTHING = Buffer.alloc(0);
