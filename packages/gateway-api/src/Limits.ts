/** The limits that the server enforces on every request and stream. They are part of the reference. */
const kibibyte = 1024
const mebibyte = 1024 * kibibyte

export const limits = {
  /** Bytes of a request's headers together; beyond them 431. */
  headerBytes: 16 * kibibyte,
  /** Bytes of a JSON body; beyond them 413. */
  bodyBytes: 8 * mebibyte,
  /** Bytes of an uploaded file; beyond them 413. */
  uploadBytes: 32 * mebibyte,
  /** Bytes and files of an uploaded archive once it is expanded; beyond them 422. */
  archiveBytes: 256 * mebibyte,
  archiveFiles: 20_000,
  /** Characters of the name of a file, and attachments of one message. */
  fileNameLength: 200,
  attachmentsPerMessage: 16,
  /** Bytes of an image that a message shows to the model; a larger one is put into the workspace. */
  messageImageBytes: 5 * mebibyte,
  /** Milliseconds in which a client must have sent its headers, and the whole request. */
  headersMillis: 20_000,
  requestMillis: 120_000,
  /** Entries, sessions and other rows of one page at most. */
  pageSize: 200,
  /** Changed files of one page at most, and characters of one difference. */
  changesPageSize: 20,
  diffCharacters: 200_000,
  /** Milliseconds between two heartbeats of a stream without frames. */
  heartbeatMillis: 15_000,
  /** The number of frames by which a reader may be behind before it is cut off with a Resume frame. */
  lagFrames: 1024,
  /** Open streams of one token. */
  streamsPerToken: 64,
  /** Webhooks of one user, and characters of the address of one. */
  webhooksPerUser: 20,
  webhookUrlLength: 2_000,
  /** Characters of an idempotency key, and of a title. */
  idempotencyKeyLength: 200,
  titleLength: 200
} as const
