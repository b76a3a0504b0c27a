/** Recognises the names of environment variables that usually contain secrets. */

const secretName =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:API|ACCESS|PRIVATE)_?KEY|(?:^|_)(?:KEY|PASS|AUTH)|OTLP_(?:\w+_)?HEADER)S?(?:_|$)/iu

export const isSecretName = (name: string): boolean => secretName.test(name)
