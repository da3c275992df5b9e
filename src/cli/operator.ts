import type { Actor } from "../accounts/audit.repo.ts";
import type { Surroundings } from "./session.ts";

/** The system's name for the user of the command line, or for the caller of `sudo`. For the audit log. */
export const operatorOf = ({ environment, user }: Pick<Surroundings, "environment" | "user">): Actor => ({
  kind: "operator",
  name: environment.SUDO_USER || user || environment.USER || environment.LOGNAME || "unknown",
});
