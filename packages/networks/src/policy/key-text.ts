/** What such a text asks for, within one sentence: to make something that is a key or leads to one. */
const asking =
  /\b(?:re)?(?:deriv|generat|creat|comput|calculat|produc|unlock|recover|restor|retriev)(?:e|es|ed|ing)?\b[^.!?]{0,60}?\b(?:(?:private|spending|viewing|privacy|payment|stealth|secret|encryption|decryption|signing|trading|session|l2|layer[ -]?2|stark|zk\w*|account|your|a|the) )+(?:keys?|key ?pairs?|seeds?|seed phrases?|mnemonics?)\b/i
/** The words of single protocols: zkSync, StarkEx, Loopring, Lighter, Umbra, dYdX, ApeX, XMTP. */
const known =
  /\bonly sign this (?:message|request|key linking request)\b|\bsign this message to access loopring\b|\bkey (?:derivation|generation|linking|registration)\b|\bstark key\b|\baction: l2 key\b|\bxmtp ?: (?:create|enable) identity\b|\bsign to derive\b/i

/** Whether the signature of a text is meant to become a key, or the seed of one: whoever gets it has what that key controls. */
export function isKeyText(text: string): boolean {
  return known.test(text) || asking.test(text)
}
