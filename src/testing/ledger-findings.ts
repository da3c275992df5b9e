import pg from "pg";
import { HOLD_RULES } from "../app/services.ts";
import { type Finding, proveLedger } from "../ledger/ledger.repo.ts";

/** What the proof of the ledger finds wrong, in one snapshot: orders may move on meanwhile. */
export async function ledgerFindings(connection: pg.ClientConfig): Promise<readonly Finding[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const proof = await proveLedger(
      {
        query: (statement, values) =>
          typeof statement === "string"
            ? client.query(statement, values as unknown[])
            : client.query({ ...statement, values: values as unknown[] }),
      },
      HOLD_RULES,
    );
    return proof.findings;
  } finally {
    await client.end();
  }
}
