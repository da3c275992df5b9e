export type SmsEncoding = "gsm7" | "ucs2";
