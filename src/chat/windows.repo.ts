import type { Db } from "../db/database.ts";
import type { Mode } from "../kernel/mode.ts";
import { type ChatWindow, NEVER_OPENED } from "./window.ts";

export interface WindowKey {
  readonly mode: Mode;
  /** The account's. */
  readonly number: string;
  readonly recipient: string;
}

/** Who may look is decided by the number, which is one account's. */
export async function readWindow(db: Db, { mode, number, recipient }: WindowKey): Promise<ChatWindow> {
  const { rows } = await db.query<{ last_inbound_at: Date; refused_at: Date | null }>(
    {
      name: "read_chat_window",
      text: "select last_inbound_at, refused_at from chat_windows where mode = $1 and number = $2 and recipient = $3",
    },
    [mode, number, recipient],
  );
  const row = rows[0];
  return row ? { lastInboundAt: row.last_inbound_at, refusedAt: row.refused_at } : NEVER_OPENED;
}
