/** What the reference says of every purchase, in Markdown. */

export const OUTCOME = `**The answer says what became of it.** It waits up to 20 seconds, or as long as \`Prefer: wait=N\` says; \`Prefer: respond-async\` not at all.

| status | means |
| --- | --- |
| 201 | \`successful\`: delivered, and the price is taken |
| 202 | \`processing\`: not known yet. The money stays held, the vendor is asked until it knows, and \`Location\` is where to look |
| 422 | failed for certain, with the \`purchase\` and the reason in \`purchase.failure\`. The price is back in the wallet |
| 503 | no order was made: send it again |

An outcome that is not certain is never called a failure: a 202 is not to be bought again.`;

/** `recipient`: what a purchase is for, in a word. */
export const repeats = (
  recipient: string,
): string => `**To repeat it safely**, send an \`Idempotency-Key\` or a \`reference\` (one of them is required), and the same again with every repeat, whatever the first
answer was: a timeout, a 5xx, none at all. It is then answered from the first purchase as it is by now, with \`Idempotent-Replayed: true\`;
nothing is bought twice. The same for the same ${recipient} within a minute under *another* key is refused with \`possible_duplicate\`, unless
\`allow_duplicate\` says that it is meant.`;
