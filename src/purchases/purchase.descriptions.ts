/** What the reference says of every purchase, in Markdown. */

export const OUTCOME = `**The answer has the outcome.** It waits up to 20 seconds, or as long as \`Prefer: wait=N\` says; \`Prefer: respond-async\` returns immediately.

| status | means |
| --- | --- |
| 201 | \`successful\`: delivered, and the price is charged |
| 202 | \`processing\`: not known yet. The money stays held, the vendor is queried until the outcome is certain, and \`Location\` is the status URL |
| 422 | certainly failed, with the \`purchase\` and the reason in \`purchase.failure\`. The price is back in the wallet |
| 503 | no order was created: send the request again |

An uncertain outcome is never reported as a failure: do not buy again after a 202.`;

/** `recipient`: what a purchase is for, in a word. */
export const repeats = (
  recipient: string,
): string => `**To repeat it safely**, send an \`Idempotency-Key\` or a \`reference\` (one of them is required), and the same again with every repeat, whatever the first
answer was: a timeout, a 5xx, none at all. It is then answered with the current state of the first purchase, with \`Idempotent-Replayed: true\`;
nothing is bought twice. The same for the same ${recipient} within a minute under *another* key is refused with \`possible_duplicate\`, unless
\`allow_duplicate\` is set.`;
