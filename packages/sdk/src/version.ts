/** The version of this package, which errors carry. */
export const sdkVersion = '0.1.0'
