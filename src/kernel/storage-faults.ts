/** No connection to the database could be had: nothing was sent, nothing happened. */
export class DatabaseAway extends Error {}
/** The server answers that it can't: its disk is full, it is a standby, it is stopping. Nothing happened either. */
export class DatabaseUnable extends DatabaseAway {}
/** The statement was sent and the connection broke before the answer: it may or may not have been committed. */
export class AnswerLost extends Error {}
