import type { Actor } from "../accounts/audit.repo.ts";
import type { Surroundings } from "./session.ts";

/** Who is at the command line, as the system knows them; behind `sudo`, who called it. For the audit log. */
export const operatorOf = ({ environment, user }: Pick<Surroundings, "environment" | "user">): Actor => ({
  kind: "operator",
  name: environment.SUDO_USER || user || environment.USER || environment.LOGNAME || "unknown",
});
