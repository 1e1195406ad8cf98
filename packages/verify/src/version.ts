/** The release that this program is of; a test holds it to `package.json`, which its one file does not carry. */
export const verifyVersion = '0.1.0'
