import type { Database, Db } from "../db/database.ts";
import type { VendorTemplate } from "../ports/chat-payload.ts";

/** When each of these providers' templates were listed; those that never were are absent. */
export async function templateListTimes(db: Db, providers: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await db.query<{ provider: string; fetched_at: Date }>(
    "select provider, fetched_at from chat_template_lists where provider = any($1::text[])",
    [providers],
  );
  return new Map(rows.map((row) => [row.provider, row.fetched_at]));
}

/** Takes in a whole list that was asked for at `fetchedAt`, unless a newer one is there already. */
export function storeTemplates(
  db: Database,
  provider: string,
  fetchedAt: Date,
  templates: readonly VendorTemplate[],
): Promise<void> {
  return db.transaction(async (tx) => {
    // Its row is the lock: nodes take in one list after the other.
    const { rowCount } = await tx.query(
      `insert into chat_template_lists (provider, fetched_at) values ($1, $2)
       on conflict (provider) do update set fetched_at = excluded.fetched_at
         where chat_template_lists.fetched_at < excluded.fetched_at`,
      [provider, fetchedAt],
    );
    if (rowCount === 0) return;
    await tx.query("delete from chat_templates where provider = $1", [provider]);
    await tx.query(
      `insert into chat_templates (provider, name, language, template)
       select $1, t.name, t.language, t.template from unnest($2::text[], $3::text[], $4::jsonb[]) t(name, language, template)
       on conflict do nothing`,
      [
        provider,
        templates.map(({ name }) => name),
        templates.map(({ language }) => language),
        templates.map((template) => JSON.stringify(template)),
      ],
    );
  });
}

/** All languages of one template. */
export async function findTemplates(db: Db, provider: string, name: string): Promise<readonly VendorTemplate[]> {
  const { rows } = await db.query<{ template: VendorTemplate }>(
    {
      name: "find_chat_templates",
      text: "select template from chat_templates where provider = $1 and name = $2 order by language",
    },
    [provider, name],
  );
  return rows.map(({ template }) => template);
}

/** Everything that these providers' accounts have; Meta keeps some hundred at most. */
export async function listTemplates(db: Db, providers: readonly string[]): Promise<readonly VendorTemplate[]> {
  const { rows } = await db.query<{ template: VendorTemplate }>(
    "select template from chat_templates where provider = any($1::text[]) order by name, language, provider",
    [providers],
  );
  return rows.map(({ template }) => template);
}
