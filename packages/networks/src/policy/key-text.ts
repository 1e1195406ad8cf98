// Every repetition is bounded: whoever writes the text would choose how long each start of a match may run on.

/** What such a text asks for, within one sentence: to make something that is a key or leads to one. */
const asking =
  /\b(?:re)?(?:deriv|generat|creat|comput|calculat|produc|unlock|recover|restor|retriev)(?:e|es|ed|ing)?\b[^.!?]{0,60}?\b(?:(?:private|spending|viewing|privacy|payment|stealth|secret|encryption|decryption|signing|trading|session|l2|layer[ -]?2|stark|zk\w*|account|address|meta-address|your|a|the) ){1,8}(?:keys?|key ?pairs?|seeds?|seed phrases?|mnemonics?)\b/i
/** What a text says becomes of the signature: a seed, a key, or what is made from it. */
const becoming =
  /\bsignatures?\b[^.!?]{0,80}?\b(?:becom(?:e|es|ing)|(?:re)?(?:deriv|generat)(?:e|es|ed|ing)|seeds?|entropy|mnemonics?|(?:de|en)crypt(?:s|ed|ing|ion)?)\b|\b(?:becom(?:e|es|ing)|(?:used|serves?|acts?|taken) (?:as|for))\b[^.!?]{0,30}?\b(?:seeds?|entropy|(?:private|secret|spending|viewing) keys?|mnemonics?)\b/i
const made =
  /\b(?:re)?(?:deriv|generat|creat|comput|calculat|produc|recover|restor)(?:e|es|ed|ing)?\b[^.!?]{0,60}?\bfrom (?:(?:your|this|the|a|its) ){0,4}signatures?\b|\b(?:re)?(?:deriv|generat)(?:e|es|ed|ing)?\b[^.!?]{0,60}?\b(?:wallet|accounts?|credentials?|identity)\b/i
/** The words of single protocols: zkSync, StarkEx, Loopring, DeGate, Lighter, Umbra, Light, dYdX, ApeX, XMTP, 3ID, 3Box, Push. */
const known =
  /\bonly sign th(?:is|e) (?:message|request|key linking request)\b|\bable to spend\b|\bsign this message to access loopring\b|\bwith key ?nonce\b|\bkey (?:derivation|generation|linking|registration)\b|\bstark key\b|\baction: l2 key\b|\bxmtp ?: (?:create|enable) identity\b|\bsign to derive\b|\ballow this account to control your identity\b|\badd this account as a ceramic authentication method\b|\bthis app wants to view and update your 3box profile\b|\benable push (?:chat )?profile\b|\bstealth (?:mode|wallets?|accounts?|(?:meta[- ]?)?address(?:es)?)\b|\b(?:activate|open|unlock|access) your private wallet\b|\b(?:encryption|spending|viewing) key\b[^.!?]{0,20}\bfor 0x|\bseed for 0x|\blog ?in to hinkal\b/i
/** The same for a key with a name of its own: your Acme key. */
const naming =
  /\b(?:re)?(?:deriv|generat)(?:e|es|ed|ing)?\b[^.!?]{0,60}?\byour (?:[\w-]+ ){0,2}(?:keys?|key ?pairs?|seeds?|seed phrases?|mnemonics?)\b/i
const texts = [known, asking, naming, becoming, made]

/** No form above spans more letters. */
const reach = 512

/**
 * Whether the signature of these texts, signed side by side, is meant to become a key, or the seed of one: whoever gets it has what that
 * key controls. Each is read alone, and where one ends with what follows: a text may go on in the next.
 */
export function isKeyText(parts: readonly string[]): boolean {
  const lines = parts.map(lineOf)
  const joints = lines.slice(1).map((_, i) => {
    const [before, after] = [lines.slice(0, i + 1), lines.slice(i + 1)].map((side) => side.join(' '))
    return `${before?.slice(-reach)} ${after?.slice(0, reach)}`
  })
  return [...lines, ...joints].some((line) => texts.some((form) => form.test(line)))
}

/** Such texts are wrapped and indented as their authors liked, and hold marks that nobody sees. */
const lineOf = (text: string): string => text.replaceAll(/\p{Cf}/gu, '').replaceAll(/\s+/g, ' ')
