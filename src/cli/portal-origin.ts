import type { Session } from "./cli.ts";

/** What links to the portal begin with. */
export const portalOrigin = ({ config }: Pick<Session, "config">): string =>
  config.portal.publicUrl ?? `http://localhost:${config.port}`;
