/** No connection to the database: nothing was sent and nothing happened. */
export class DatabaseAway extends Error {}
/** The server refuses: its disk is full, it is a standby, or it is stopping. Nothing happened. */
export class DatabaseUnable extends DatabaseAway {}
/** The statement was sent and the connection broke before the answer: it may or may not have been committed. */
export class AnswerLost extends Error {}
