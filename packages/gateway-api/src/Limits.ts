/** The limits that the server enforces on every request and stream. They are part of the reference. */
const kibibyte = 1024
const mebibyte = 1024 * kibibyte

export const limits = {
  /** The maximum number of bytes of a request's headers; a larger request gets 431. */
  headerBytes: 16 * kibibyte,
  /** The maximum number of bytes of a JSON body; a larger one gets 413. */
  bodyBytes: 8 * mebibyte,
  /** The maximum number of bytes of an uploaded file; a larger one gets 413. */
  uploadBytes: 32 * mebibyte,
  /** The maximum number of bytes, and of files, of an uploaded archive once it is expanded; a larger one gets 422. */
  archiveBytes: 256 * mebibyte,
  archiveFiles: 20_000,
  /** The maximum number of characters of a file name, and of attachments of one message. */
  fileNameLength: 200,
  attachmentsPerMessage: 16,
  /** The maximum number of bytes of an image that is shown to the model; a larger one is put into the workspace. */
  messageImageBytes: 5 * mebibyte,
  /** The milliseconds within which a client must have sent its headers, and the whole request. */
  headersMillis: 20_000,
  requestMillis: 120_000,
  /** The maximum number of entries, sessions and other rows of one page. */
  pageSize: 200,
  /** The maximum number of changed files of one page, and of characters of one diff. */
  changesPageSize: 20,
  diffCharacters: 200_000,
  /** The milliseconds between two heartbeats of a stream without frames. */
  heartbeatMillis: 15_000,
  /** The number of frames by which a reader may lag before its stream ends with a Resume frame. */
  lagFrames: 1024,
  /** The maximum number of open streams of one token. */
  streamsPerToken: 64,
  /** The maximum number of webhooks of one user, and of characters of a webhook's address. */
  webhooksPerUser: 20,
  webhookUrlLength: 2_000,
  /** The maximum number of characters of an idempotency key, and of a title. */
  idempotencyKeyLength: 200,
  titleLength: 200
} as const
