import { TextInput } from "@mantine/core";

interface EmailProps {
  readonly known?: string | undefined;
  readonly error?: string | undefined;
  /** The browser may list passkeys here. */
  readonly takesPasskeys?: boolean;
}

/** Whom a password belongs to: browsers keep the two together. */
export const EmailField = ({ known, error, takesPasskeys = false }: EmailProps) => (
  <TextInput
    name="email"
    type="email"
    label="E-mail"
    defaultValue={known}
    autoComplete={takesPasskeys ? "username webauthn" : "username"}
    required
    withAsterisk={false}
    error={error}
  />
);
