import { notifications } from "@mantine/notifications";

/** The result of one's own act. */
export const toast = (message: string): void => {
  notifications.show({ message, autoClose: 4_000, withBorder: true, closeButtonProps: { "aria-label": "Close" } });
};
