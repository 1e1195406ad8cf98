/** Seaport 1.4, 1.5 and 1.6, the same on every chain. */
export const seaportContracts: ReadonlySet<string> = new Set([
  '0x00000000000001ad428e4906aE43D8F9852d0dD6',
  '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
  '0x0000000000000068F116a894984e2DB1123eB395',
])
