/** Its group of the reference, as its routes name it. */
export const CHAT_TAG = {
  name: "Chat",
  description:
    "WhatsApp messages: texts, files and buttons within 24 hours of the recipient's last message, templates at any time.",
};
