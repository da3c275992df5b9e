const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text shows anything at all: spaces, controls, combining marks and invisible characters alone show nothing. */
export const hasVisible = (text: string): boolean => VISIBLE.test(text);
