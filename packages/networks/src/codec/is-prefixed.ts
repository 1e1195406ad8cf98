/** Whether a text begins with 0x. Lists of policies have thousands of names, most of other networks: this is cheaper than their forms. */
export const isPrefixed = (text: string): boolean =>
  text.charCodeAt(0) === 48 && (text.charCodeAt(1) | 32) === 120
