/** The name that a tool of another framework has in a pack. */

/** Returns "get_weather" for "getWeather"; a name of another form stays, and the declaration reports it. */
export const snakeCase = (name: string): string =>
  /^[A-Za-z][A-Za-z0-9]*$/u.test(name)
    ? name
        .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
        .replaceAll(/([A-Z])([A-Z][a-z])/gu, "$1_$2")
        .toLowerCase()
    : name
