/** The release that this program is of; a test holds it to `package.json`, which the image does not carry. */
export const enclaveVersion = '0.1.0'
