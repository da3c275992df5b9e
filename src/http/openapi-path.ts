/** `/sms/status/:message_id` → `/sms/status/{message_id}` */
export const openApiPath = (url: string): string => url.replaceAll(/:(\w+)/g, "{$1}");
