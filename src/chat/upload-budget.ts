import { refusal } from "../kernel/refusal.ts";

/** Says whether so many bytes more may be held; false when memory has no room for them. */
export type Reserve = (bytes: number) => boolean;

export interface UploadBudget {
  /**
   * Lets a file of the account in while `act` deals with it; what it holds is free again afterwards. Undefined when the account
   * has as many under way as it may.
   */
  within<T>(accountId: string, act: (reserve: Reserve) => Promise<T>): Promise<T | undefined>;
}

export const NO_ROOM = refusal("overloaded", "Too many files are being looked at just now. Try again in a second.", {
  retryAfterSeconds: 1,
});

/**
 * The memory for files that are on their way through. Counted is what has come of each, not how large it may become, and places
 * are an account's own: whoever sends slowly holds little, and keeps nobody else waiting.
 */
export function makeUploadBudget({
  filesAnAccount,
  bytesMax,
}: {
  filesAnAccount: number;
  bytesMax: number;
}): UploadBudget {
  const files = new Map<string, number>();
  let held = 0;

  return {
    async within(accountId, act) {
      const before = files.get(accountId) ?? 0;
      if (before >= filesAnAccount) return undefined;
      files.set(accountId, before + 1);
      let own = 0;
      const reserve = (bytes: number) => {
        if (held + bytes > bytesMax) return false;
        held += bytes;
        own += bytes;
        return true;
      };
      try {
        return await act(reserve);
      } finally {
        held -= own;
        const left = (files.get(accountId) ?? 1) - 1;
        if (left === 0) files.delete(accountId);
        else files.set(accountId, left);
      }
    },
  };
}
