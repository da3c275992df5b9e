import { useSession } from "../../api/session.ts";
import { Page } from "../../pieces/Page.tsx";
import { ChangePassword } from "./ChangePassword.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { SecondFactor } from "./SecondFactor.tsx";
import { Sessions } from "./Sessions.tsx";
import { SetPassword } from "./SetPassword.tsx";
import styles from "./You.module.css";

/** A person's own sign-in: the same in every account. */
export function You() {
  const { data } = useSession();
  if (!data?.person) return null;
  const { name, email, two_factor, has_password } = data.person;
  return (
    <Page title="Your sign-in" line="How you get in, and where you are in.">
      <section className={`card ${styles.section}`} aria-label="You">
        <h2>{name}</h2>
        <p className={styles.email}>{email}</p>
      </section>
      <section className={`card ${styles.section}`} aria-label="Password">
        <h2>Password</h2>
        {has_password ? <ChangePassword email={email} /> : <SetPassword email={email} />}
      </section>
      <section className={`card ${styles.section}`} aria-label="Passkeys">
        <h2>Passkeys</h2>
        <Passkeys />
      </section>
      <section className={`card ${styles.section}`} aria-label="Second factor">
        <h2>Second factor</h2>
        <SecondFactor isOn={two_factor} hasPassword={has_password} />
      </section>
      <section className={`card ${styles.section}`} aria-label="Sessions">
        <h2>Sessions</h2>
        <Sessions />
      </section>
    </Page>
  );
}
