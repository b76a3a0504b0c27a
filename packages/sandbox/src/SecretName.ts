/** Names that environment variables with secrets have. */

const secretName =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:API|ACCESS|PRIVATE)_?KEY|(?:^|_)(?:KEY|PASS|AUTH)|OTLP_(?:\w+_)?HEADER)S?(?:_|$)/iu

export const isSecretName = (name: string): boolean => secretName.test(name)
