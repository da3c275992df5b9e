import { Notice } from "../../pieces/Notice.tsx";

/** What the gateway says of a link that led here, by the code of its refusal. */
const REFUSED: Readonly<Record<string, string>> = {
  link_not_valid:
    "This link was used or is too old. Sign in: if your address is not confirmed yet, you can ask for a new one then.",
  local_link_not_valid:
    "This link was used or is too old. Start the gateway again: it prints a new link. If you have set a password, sign in with it.",
  awaiting_approval:
    "Your address is confirmed. Whoever runs this gateway looks at your sign-up first; a mail tells you when you can sign in.",
  rate_limited: "Too many links were opened from here. Wait a quarter of an hour and open yours again.",
  session_ended: "Your session has ended. Sign in again.",
};

const OTHERWISE = "The link could not be followed. Open it again, or sign in.";

interface ArrivalProps {
  readonly isVerified: boolean;
  readonly error: string | undefined;
}

export function Arrival({ isVerified, error }: ArrivalProps) {
  if (error !== undefined) return <Notice tone="waiting">{REFUSED[error] ?? OTHERWISE}</Notice>;
  return isVerified ? <Notice tone="done">Your address is confirmed. Sign in.</Notice> : null;
}
