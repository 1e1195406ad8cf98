// docs/.vitepress/config.ts
import { defineConfig } from "file:///work/wt/receipts-api/node_modules/vitepress/dist/node/index.js";

// docs/.vitepress/markdown/diagrams.ts
import { renderMermaidSVG } from "file:///work/wt/receipts-api/node_modules/beautiful-mermaid/dist/index.js";
var themes = [
  { name: "light", bg: "#ffffff", fg: "#27272a", muted: "#52525b" },
  { name: "dark", bg: "#1b1b1f", fg: "#dfdfd6", muted: "#a1a1aa" }
];
function diagrams(markdown) {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const [, text] = /^mermaid\b\s*(.*)$/.exec(token?.info ?? "") ?? [];
    if (token === void 0 || text === void 0)
      return fence?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
    const alternative = markdown.utils.escapeHtml(text === "" ? "Diagram" : text);
    const pictures = themes.map(
      ({ name, ...colors }) => `<img class="diagram diagram-${name}" alt="${alternative}" src="${address(drawing(token.content, colors))}">`
    );
    return `<p class="diagrams">${pictures.join("")}</p>
`;
  };
}
function drawing(source, colors) {
  return renderMermaidSVG(source, colors).replaceAll(/^\s*@import url\([^)]*\);\n/gm, "");
}
var address = (svg) => `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;

// docs/.vitepress/markdown/outside-links.ts
var outside = /^(?:\.\.\/)+(?:README|CONTRIBUTING|CHANGELOG|SECURITY|LICENSE|packages|bench|scripts|test|deploy)\b/;
function outsideLinks(markdown) {
  markdown.core.ruler.push("outside-links", ({ tokens }) => {
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") isOutside = outside.test(String(token.attrGet("href")));
        if (!isOutside) continue;
        if (token.type === "link_open") {
          token.type = "outside_open";
          token.tag = "em";
          token.attrs = null;
        } else if (token.type === "link_close") {
          token.type = "outside_close";
          token.tag = "em";
          isOutside = false;
        }
      }
    }
  });
}

// docs/.vitepress/sidebar.ts
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
var __vite_injected_original_import_meta_url = "file:///work/wt/receipts-api/docs/.vitepress/sidebar.ts";
var docs = fileURLToPath(new URL("..", __vite_injected_original_import_meta_url));
function sidebar() {
  return [
    {
      text: "Start",
      items: [
        { text: "Getting started", link: "/guides/getting-started" },
        { text: "Client mode", link: "/guides/client-mode" },
        { text: "Your own client", link: "/guides/clients" },
        { text: "Agents", link: "/guides/agents" },
        { text: "Networks", link: "/guides/networks" },
        { text: "EVM chains", link: "/guides/evm" }
      ]
    },
    {
      text: "Operate",
      items: [
        { text: "Production", link: "/guides/production" },
        { text: "The portal", link: "/guides/portal" },
        { text: "Key rotation", link: "/guides/keys" },
        { text: "Backup and restore", link: "/guides/backup" },
        { text: "Recovery webhook", link: "/guides/recovery-webhook" },
        { text: "Rescue", link: "/guides/rescue" },
        { text: "Audit log", link: "/guides/audit" },
        { text: "Verify the enclave", link: "/guides/verify" }
      ]
    },
    {
      text: "Reference",
      items: [
        { text: "API", link: "/reference/api" },
        { text: "Configuration", link: "/reference/configuration" },
        { text: "Policies", link: "/reference/policy" },
        { text: "Errors", link: "/errors/" }
      ]
    },
    {
      text: "How it is built",
      items: [
        { text: "Architecture", link: "/architecture" },
        { text: "Threat model", link: "/threat-model" },
        { text: "Decisions", link: "/decisions/", collapsed: true, items: pagesOf("decisions") },
        { text: "Design notes", collapsed: true, items: pagesOf("design") }
      ]
    }
  ];
}
function pagesOf(folder) {
  return readdirSync(`${docs}/${folder}`).filter((file) => file.endsWith(".md") && file !== "README.md").sort().map((file) => ({ text: titleOf(`${docs}/${folder}/${file}`), link: `/${folder}/${file.slice(0, -3)}` }));
}
var titleOf = (file) => /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? file;

// docs/.vitepress/config.ts
var config_default = defineConfig({
  title: "Symbolon",
  description: "Self-custodial wallets for your users, run by you.",
  base: "/docs/",
  cleanUrls: true,
  rewrites: { "decisions/README.md": "decisions/index.md" },
  // A page of another build would be prefetched where the policy allows scripts alone.
  router: { prefetchLinks: false },
  cacheDir: "../node_modules/.cache/vitepress",
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    theme: { light: "github-light", dark: "github-dark" },
    config(markdown) {
      markdown.use(outsideLinks).use(diagrams);
    }
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/getting-started", activeMatch: "/guides/" },
      {
        text: "How it is built",
        link: "/architecture",
        activeMatch: "/(architecture|threat-model|decisions)"
      },
      { text: "Reference", link: "/reference/api", activeMatch: "/(reference|errors)/" }
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local" },
    docFooter: { prev: "Previous", next: "Next" }
  }
});
export {
  config_default as default
};
//# sourceMappingURL=data:application/json;base64,ewogICJ2ZXJzaW9uIjogMywKICAic291cmNlcyI6IFsiZG9jcy8udml0ZXByZXNzL2NvbmZpZy50cyIsICJkb2NzLy52aXRlcHJlc3MvbWFya2Rvd24vZGlhZ3JhbXMudHMiLCAiZG9jcy8udml0ZXByZXNzL21hcmtkb3duL291dHNpZGUtbGlua3MudHMiLCAiZG9jcy8udml0ZXByZXNzL3NpZGViYXIudHMiXSwKICAic291cmNlc0NvbnRlbnQiOiBbImNvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9kaXJuYW1lID0gXCIvd29yay93dC9yZWNlaXB0cy1hcGkvZG9jcy8udml0ZXByZXNzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ZpbGVuYW1lID0gXCIvd29yay93dC9yZWNlaXB0cy1hcGkvZG9jcy8udml0ZXByZXNzL2NvbmZpZy50c1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9pbXBvcnRfbWV0YV91cmwgPSBcImZpbGU6Ly8vd29yay93dC9yZWNlaXB0cy1hcGkvZG9jcy8udml0ZXByZXNzL2NvbmZpZy50c1wiO2ltcG9ydCB7IGRlZmluZUNvbmZpZyB9IGZyb20gJ3ZpdGVwcmVzcydcbmltcG9ydCB7IGRpYWdyYW1zIH0gZnJvbSAnLi9tYXJrZG93bi9kaWFncmFtcy50cydcbmltcG9ydCB7IG91dHNpZGVMaW5rcyB9IGZyb20gJy4vbWFya2Rvd24vb3V0c2lkZS1saW5rcy50cydcbmltcG9ydCB7IHNpZGViYXIgfSBmcm9tICcuL3NpZGViYXIudHMnXG5cbi8qKiBUaGUgZG9jdW1lbnRhdGlvbiBhdCBgL2RvY3NgOiB3aGF0IGEgYnVpbGQgcHV0cyB0aGVyZSBpcyBzZXJ2ZWQgYnkgYHBhY2thZ2VzL3NlcnZlci9zcmMvZmVhdHVyZXMvZG9jcy1zaXRlYC4gKi9cbmV4cG9ydCBkZWZhdWx0IGRlZmluZUNvbmZpZyh7XG4gIHRpdGxlOiAnU3ltYm9sb24nLFxuICBkZXNjcmlwdGlvbjogJ1NlbGYtY3VzdG9kaWFsIHdhbGxldHMgZm9yIHlvdXIgdXNlcnMsIHJ1biBieSB5b3UuJyxcbiAgYmFzZTogJy9kb2NzLycsXG4gIGNsZWFuVXJsczogdHJ1ZSxcbiAgcmV3cml0ZXM6IHsgJ2RlY2lzaW9ucy9SRUFETUUubWQnOiAnZGVjaXNpb25zL2luZGV4Lm1kJyB9LFxuICAvLyBBIHBhZ2Ugb2YgYW5vdGhlciBidWlsZCB3b3VsZCBiZSBwcmVmZXRjaGVkIHdoZXJlIHRoZSBwb2xpY3kgYWxsb3dzIHNjcmlwdHMgYWxvbmUuXG4gIHJvdXRlcjogeyBwcmVmZXRjaExpbmtzOiBmYWxzZSB9LFxuICBjYWNoZURpcjogJy4uL25vZGVfbW9kdWxlcy8uY2FjaGUvdml0ZXByZXNzJyxcbiAgaGVhZDogW1snbGluaycsIHsgcmVsOiAnaWNvbicsIGhyZWY6ICdkYXRhOiwnIH1dXSxcbiAgbWFya2Rvd246IHtcbiAgICB0aGVtZTogeyBsaWdodDogJ2dpdGh1Yi1saWdodCcsIGRhcms6ICdnaXRodWItZGFyaycgfSxcbiAgICBjb25maWcobWFya2Rvd24pIHtcbiAgICAgIG1hcmtkb3duLnVzZShvdXRzaWRlTGlua3MpLnVzZShkaWFncmFtcylcbiAgICB9LFxuICB9LFxuICB0aGVtZUNvbmZpZzoge1xuICAgIG5hdjogW1xuICAgICAgeyB0ZXh0OiAnR3VpZGVzJywgbGluazogJy9ndWlkZXMvZ2V0dGluZy1zdGFydGVkJywgYWN0aXZlTWF0Y2g6ICcvZ3VpZGVzLycgfSxcbiAgICAgIHtcbiAgICAgICAgdGV4dDogJ0hvdyBpdCBpcyBidWlsdCcsXG4gICAgICAgIGxpbms6ICcvYXJjaGl0ZWN0dXJlJyxcbiAgICAgICAgYWN0aXZlTWF0Y2g6ICcvKGFyY2hpdGVjdHVyZXx0aHJlYXQtbW9kZWx8ZGVjaXNpb25zKScsXG4gICAgICB9LFxuICAgICAgeyB0ZXh0OiAnUmVmZXJlbmNlJywgbGluazogJy9yZWZlcmVuY2UvYXBpJywgYWN0aXZlTWF0Y2g6ICcvKHJlZmVyZW5jZXxlcnJvcnMpLycgfSxcbiAgICBdLFxuICAgIHNpZGViYXI6IHNpZGViYXIoKSxcbiAgICBvdXRsaW5lOiBbMiwgM10sXG4gICAgc2VhcmNoOiB7IHByb3ZpZGVyOiAnbG9jYWwnIH0sXG4gICAgZG9jRm9vdGVyOiB7IHByZXY6ICdQcmV2aW91cycsIG5leHQ6ICdOZXh0JyB9LFxuICB9LFxufSlcbiIsICJjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZGlybmFtZSA9IFwiL3dvcmsvd3QvcmVjZWlwdHMtYXBpL2RvY3MvLnZpdGVwcmVzcy9tYXJrZG93blwiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9maWxlbmFtZSA9IFwiL3dvcmsvd3QvcmVjZWlwdHMtYXBpL2RvY3MvLnZpdGVwcmVzcy9tYXJrZG93bi9kaWFncmFtcy50c1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9pbXBvcnRfbWV0YV91cmwgPSBcImZpbGU6Ly8vd29yay93dC9yZWNlaXB0cy1hcGkvZG9jcy8udml0ZXByZXNzL21hcmtkb3duL2RpYWdyYW1zLnRzXCI7aW1wb3J0IHsgcmVuZGVyTWVybWFpZFNWRyB9IGZyb20gJ2JlYXV0aWZ1bC1tZXJtYWlkJ1xuaW1wb3J0IHR5cGUgeyBNYXJrZG93blJlbmRlcmVyIH0gZnJvbSAndml0ZXByZXNzJ1xuXG5jb25zdCB0aGVtZXMgPSBbXG4gIHsgbmFtZTogJ2xpZ2h0JywgYmc6ICcjZmZmZmZmJywgZmc6ICcjMjcyNzJhJywgbXV0ZWQ6ICcjNTI1MjViJyB9LFxuICB7IG5hbWU6ICdkYXJrJywgYmc6ICcjMWIxYjFmJywgZmc6ICcjZGZkZmQ2JywgbXV0ZWQ6ICcjYTFhMWFhJyB9LFxuXVxuXG4vKipcbiAqIERyYXdzIGBgYG1lcm1haWQgYmxvY2tzIGF0IGJ1aWxkIHRpbWUsIG9uY2UgcGVyIHRoZW1lLCBhcyBwaWN0dXJlcyB0aGF0IGxvYWQgbm90aGluZy4gVGhlIHdvcmRzIGFmdGVyIGBtZXJtYWlkYCBhcmUgdGhlIGFsdGVybmF0aXZlXG4gKiB0ZXh0LlxuICovXG5leHBvcnQgZnVuY3Rpb24gZGlhZ3JhbXMobWFya2Rvd246IE1hcmtkb3duUmVuZGVyZXIpOiB2b2lkIHtcbiAgY29uc3QgZmVuY2UgPSBtYXJrZG93bi5yZW5kZXJlci5ydWxlcy5mZW5jZVxuICBtYXJrZG93bi5yZW5kZXJlci5ydWxlcy5mZW5jZSA9ICh0b2tlbnMsIGluZGV4LCBvcHRpb25zLCBlbnYsIHNlbGYpID0+IHtcbiAgICBjb25zdCB0b2tlbiA9IHRva2Vuc1tpbmRleF1cbiAgICBjb25zdCBbLCB0ZXh0XSA9IC9ebWVybWFpZFxcYlxccyooLiopJC8uZXhlYyh0b2tlbj8uaW5mbyA/PyAnJykgPz8gW11cbiAgICBpZiAodG9rZW4gPT09IHVuZGVmaW5lZCB8fCB0ZXh0ID09PSB1bmRlZmluZWQpXG4gICAgICByZXR1cm4gZmVuY2U/Lih0b2tlbnMsIGluZGV4LCBvcHRpb25zLCBlbnYsIHNlbGYpID8/IHNlbGYucmVuZGVyVG9rZW4odG9rZW5zLCBpbmRleCwgb3B0aW9ucylcbiAgICBjb25zdCBhbHRlcm5hdGl2ZSA9IG1hcmtkb3duLnV0aWxzLmVzY2FwZUh0bWwodGV4dCA9PT0gJycgPyAnRGlhZ3JhbScgOiB0ZXh0KVxuICAgIGNvbnN0IHBpY3R1cmVzID0gdGhlbWVzLm1hcChcbiAgICAgICh7IG5hbWUsIC4uLmNvbG9ycyB9KSA9PlxuICAgICAgICBgPGltZyBjbGFzcz1cImRpYWdyYW0gZGlhZ3JhbS0ke25hbWV9XCIgYWx0PVwiJHthbHRlcm5hdGl2ZX1cIiBzcmM9XCIke2FkZHJlc3MoZHJhd2luZyh0b2tlbi5jb250ZW50LCBjb2xvcnMpKX1cIj5gLFxuICAgIClcbiAgICByZXR1cm4gYDxwIGNsYXNzPVwiZGlhZ3JhbXNcIj4ke3BpY3R1cmVzLmpvaW4oJycpfTwvcD5cXG5gXG4gIH1cbn1cblxuLyoqIFRoZSByZW5kZXJlciBhc2tzIEdvb2dsZSBmb3IgYSBmb250OyB0aGUgc3lzdGVtJ3MgaGFzIHRvIGRvLiAqL1xuZnVuY3Rpb24gZHJhd2luZyhzb3VyY2U6IHN0cmluZywgY29sb3JzOiB7IGJnOiBzdHJpbmc7IGZnOiBzdHJpbmc7IG11dGVkOiBzdHJpbmcgfSk6IHN0cmluZyB7XG4gIHJldHVybiByZW5kZXJNZXJtYWlkU1ZHKHNvdXJjZSwgY29sb3JzKS5yZXBsYWNlQWxsKC9eXFxzKkBpbXBvcnQgdXJsXFwoW14pXSpcXCk7XFxuL2dtLCAnJylcbn1cblxuY29uc3QgYWRkcmVzcyA9IChzdmc6IHN0cmluZykgPT4gYGRhdGE6aW1hZ2Uvc3ZnK3htbDtiYXNlNjQsJHtCdWZmZXIuZnJvbShzdmcpLnRvU3RyaW5nKCdiYXNlNjQnKX1gXG4iLCAiY29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2Rpcm5hbWUgPSBcIi93b3JrL3d0L3JlY2VpcHRzLWFwaS9kb2NzLy52aXRlcHJlc3MvbWFya2Rvd25cIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfZmlsZW5hbWUgPSBcIi93b3JrL3d0L3JlY2VpcHRzLWFwaS9kb2NzLy52aXRlcHJlc3MvbWFya2Rvd24vb3V0c2lkZS1saW5rcy50c1wiO2NvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9pbXBvcnRfbWV0YV91cmwgPSBcImZpbGU6Ly8vd29yay93dC9yZWNlaXB0cy1hcGkvZG9jcy8udml0ZXByZXNzL21hcmtkb3duL291dHNpZGUtbGlua3MudHNcIjtpbXBvcnQgdHlwZSB7IE1hcmtkb3duUmVuZGVyZXIgfSBmcm9tICd2aXRlcHJlc3MnXG5cbmNvbnN0IG91dHNpZGUgPVxuICAvXig/OlxcLlxcLlxcLykrKD86UkVBRE1FfENPTlRSSUJVVElOR3xDSEFOR0VMT0d8U0VDVVJJVFl8TElDRU5TRXxwYWNrYWdlc3xiZW5jaHxzY3JpcHRzfHRlc3R8ZGVwbG95KVxcYi9cblxuLyoqIExpbmtzIHRvIGZpbGVzIG9mIHRoZSByZXBvc2l0b3J5IG91dHNpZGUgb2YgYGRvY3MvYCB3b3JrIHdoZXJlIHRoZSByZXBvc2l0b3J5IGlzIHJlYWQ7IG9uIHRoZSBzaXRlIHRoZXkgYXJlIHBsYWluIHRleHQuICovXG5leHBvcnQgZnVuY3Rpb24gb3V0c2lkZUxpbmtzKG1hcmtkb3duOiBNYXJrZG93blJlbmRlcmVyKTogdm9pZCB7XG4gIG1hcmtkb3duLmNvcmUucnVsZXIucHVzaCgnb3V0c2lkZS1saW5rcycsICh7IHRva2VucyB9KSA9PiB7XG4gICAgZm9yIChjb25zdCB7IGNoaWxkcmVuIH0gb2YgdG9rZW5zKSB7XG4gICAgICBsZXQgaXNPdXRzaWRlID0gZmFsc2VcbiAgICAgIGZvciAoY29uc3QgdG9rZW4gb2YgY2hpbGRyZW4gPz8gW10pIHtcbiAgICAgICAgaWYgKHRva2VuLnR5cGUgPT09ICdsaW5rX29wZW4nKSBpc091dHNpZGUgPSBvdXRzaWRlLnRlc3QoU3RyaW5nKHRva2VuLmF0dHJHZXQoJ2hyZWYnKSkpXG4gICAgICAgIGlmICghaXNPdXRzaWRlKSBjb250aW51ZVxuICAgICAgICBpZiAodG9rZW4udHlwZSA9PT0gJ2xpbmtfb3BlbicpIHtcbiAgICAgICAgICB0b2tlbi50eXBlID0gJ291dHNpZGVfb3BlbidcbiAgICAgICAgICB0b2tlbi50YWcgPSAnZW0nXG4gICAgICAgICAgdG9rZW4uYXR0cnMgPSBudWxsXG4gICAgICAgIH0gZWxzZSBpZiAodG9rZW4udHlwZSA9PT0gJ2xpbmtfY2xvc2UnKSB7XG4gICAgICAgICAgdG9rZW4udHlwZSA9ICdvdXRzaWRlX2Nsb3NlJ1xuICAgICAgICAgIHRva2VuLnRhZyA9ICdlbSdcbiAgICAgICAgICBpc091dHNpZGUgPSBmYWxzZVxuICAgICAgICB9XG4gICAgICB9XG4gICAgfVxuICB9KVxufVxuIiwgImNvbnN0IF9fdml0ZV9pbmplY3RlZF9vcmlnaW5hbF9kaXJuYW1lID0gXCIvd29yay93dC9yZWNlaXB0cy1hcGkvZG9jcy8udml0ZXByZXNzXCI7Y29uc3QgX192aXRlX2luamVjdGVkX29yaWdpbmFsX2ZpbGVuYW1lID0gXCIvd29yay93dC9yZWNlaXB0cy1hcGkvZG9jcy8udml0ZXByZXNzL3NpZGViYXIudHNcIjtjb25zdCBfX3ZpdGVfaW5qZWN0ZWRfb3JpZ2luYWxfaW1wb3J0X21ldGFfdXJsID0gXCJmaWxlOi8vL3dvcmsvd3QvcmVjZWlwdHMtYXBpL2RvY3MvLnZpdGVwcmVzcy9zaWRlYmFyLnRzXCI7aW1wb3J0IHsgcmVhZGRpclN5bmMsIHJlYWRGaWxlU3luYyB9IGZyb20gJ25vZGU6ZnMnXG5pbXBvcnQgeyBmaWxlVVJMVG9QYXRoIH0gZnJvbSAnbm9kZTp1cmwnXG5pbXBvcnQgdHlwZSB7IERlZmF1bHRUaGVtZSB9IGZyb20gJ3ZpdGVwcmVzcydcblxuY29uc3QgZG9jcyA9IGZpbGVVUkxUb1BhdGgobmV3IFVSTCgnLi4nLCBpbXBvcnQubWV0YS51cmwpKVxuXG4vKiogVGhlIHBhZ2VzIGluIHJlYWRpbmcgb3JkZXI7IGRlY2lzaW9ucyBhbmQgZGVzaWduIG5vdGVzIGFyZSBsaXN0ZWQgZnJvbSB0aGVpciBmb2xkZXJzLiAqL1xuZXhwb3J0IGZ1bmN0aW9uIHNpZGViYXIoKTogRGVmYXVsdFRoZW1lLlNpZGViYXJJdGVtW10ge1xuICByZXR1cm4gW1xuICAgIHtcbiAgICAgIHRleHQ6ICdTdGFydCcsXG4gICAgICBpdGVtczogW1xuICAgICAgICB7IHRleHQ6ICdHZXR0aW5nIHN0YXJ0ZWQnLCBsaW5rOiAnL2d1aWRlcy9nZXR0aW5nLXN0YXJ0ZWQnIH0sXG4gICAgICAgIHsgdGV4dDogJ0NsaWVudCBtb2RlJywgbGluazogJy9ndWlkZXMvY2xpZW50LW1vZGUnIH0sXG4gICAgICAgIHsgdGV4dDogJ1lvdXIgb3duIGNsaWVudCcsIGxpbms6ICcvZ3VpZGVzL2NsaWVudHMnIH0sXG4gICAgICAgIHsgdGV4dDogJ0FnZW50cycsIGxpbms6ICcvZ3VpZGVzL2FnZW50cycgfSxcbiAgICAgICAgeyB0ZXh0OiAnTmV0d29ya3MnLCBsaW5rOiAnL2d1aWRlcy9uZXR3b3JrcycgfSxcbiAgICAgICAgeyB0ZXh0OiAnRVZNIGNoYWlucycsIGxpbms6ICcvZ3VpZGVzL2V2bScgfSxcbiAgICAgIF0sXG4gICAgfSxcbiAgICB7XG4gICAgICB0ZXh0OiAnT3BlcmF0ZScsXG4gICAgICBpdGVtczogW1xuICAgICAgICB7IHRleHQ6ICdQcm9kdWN0aW9uJywgbGluazogJy9ndWlkZXMvcHJvZHVjdGlvbicgfSxcbiAgICAgICAgeyB0ZXh0OiAnVGhlIHBvcnRhbCcsIGxpbms6ICcvZ3VpZGVzL3BvcnRhbCcgfSxcbiAgICAgICAgeyB0ZXh0OiAnS2V5IHJvdGF0aW9uJywgbGluazogJy9ndWlkZXMva2V5cycgfSxcbiAgICAgICAgeyB0ZXh0OiAnQmFja3VwIGFuZCByZXN0b3JlJywgbGluazogJy9ndWlkZXMvYmFja3VwJyB9LFxuICAgICAgICB7IHRleHQ6ICdSZWNvdmVyeSB3ZWJob29rJywgbGluazogJy9ndWlkZXMvcmVjb3Zlcnktd2ViaG9vaycgfSxcbiAgICAgICAgeyB0ZXh0OiAnUmVzY3VlJywgbGluazogJy9ndWlkZXMvcmVzY3VlJyB9LFxuICAgICAgICB7IHRleHQ6ICdBdWRpdCBsb2cnLCBsaW5rOiAnL2d1aWRlcy9hdWRpdCcgfSxcbiAgICAgICAgeyB0ZXh0OiAnVmVyaWZ5IHRoZSBlbmNsYXZlJywgbGluazogJy9ndWlkZXMvdmVyaWZ5JyB9LFxuICAgICAgXSxcbiAgICB9LFxuICAgIHtcbiAgICAgIHRleHQ6ICdSZWZlcmVuY2UnLFxuICAgICAgaXRlbXM6IFtcbiAgICAgICAgeyB0ZXh0OiAnQVBJJywgbGluazogJy9yZWZlcmVuY2UvYXBpJyB9LFxuICAgICAgICB7IHRleHQ6ICdDb25maWd1cmF0aW9uJywgbGluazogJy9yZWZlcmVuY2UvY29uZmlndXJhdGlvbicgfSxcbiAgICAgICAgeyB0ZXh0OiAnUG9saWNpZXMnLCBsaW5rOiAnL3JlZmVyZW5jZS9wb2xpY3knIH0sXG4gICAgICAgIHsgdGV4dDogJ0Vycm9ycycsIGxpbms6ICcvZXJyb3JzLycgfSxcbiAgICAgIF0sXG4gICAgfSxcbiAgICB7XG4gICAgICB0ZXh0OiAnSG93IGl0IGlzIGJ1aWx0JyxcbiAgICAgIGl0ZW1zOiBbXG4gICAgICAgIHsgdGV4dDogJ0FyY2hpdGVjdHVyZScsIGxpbms6ICcvYXJjaGl0ZWN0dXJlJyB9LFxuICAgICAgICB7IHRleHQ6ICdUaHJlYXQgbW9kZWwnLCBsaW5rOiAnL3RocmVhdC1tb2RlbCcgfSxcbiAgICAgICAgeyB0ZXh0OiAnRGVjaXNpb25zJywgbGluazogJy9kZWNpc2lvbnMvJywgY29sbGFwc2VkOiB0cnVlLCBpdGVtczogcGFnZXNPZignZGVjaXNpb25zJykgfSxcbiAgICAgICAgeyB0ZXh0OiAnRGVzaWduIG5vdGVzJywgY29sbGFwc2VkOiB0cnVlLCBpdGVtczogcGFnZXNPZignZGVzaWduJykgfSxcbiAgICAgIF0sXG4gICAgfSxcbiAgXVxufVxuXG5mdW5jdGlvbiBwYWdlc09mKGZvbGRlcjogc3RyaW5nKTogRGVmYXVsdFRoZW1lLlNpZGViYXJJdGVtW10ge1xuICByZXR1cm4gcmVhZGRpclN5bmMoYCR7ZG9jc30vJHtmb2xkZXJ9YClcbiAgICAuZmlsdGVyKChmaWxlKSA9PiBmaWxlLmVuZHNXaXRoKCcubWQnKSAmJiBmaWxlICE9PSAnUkVBRE1FLm1kJylcbiAgICAuc29ydCgpXG4gICAgLm1hcCgoZmlsZSkgPT4gKHsgdGV4dDogdGl0bGVPZihgJHtkb2NzfS8ke2ZvbGRlcn0vJHtmaWxlfWApLCBsaW5rOiBgLyR7Zm9sZGVyfS8ke2ZpbGUuc2xpY2UoMCwgLTMpfWAgfSkpXG59XG5cbmNvbnN0IHRpdGxlT2YgPSAoZmlsZTogc3RyaW5nKSA9PiAvXiMgKC4rKSQvbS5leGVjKHJlYWRGaWxlU3luYyhmaWxlLCAndXRmOCcpKT8uWzFdID8/IGZpbGVcbiJdLAogICJtYXBwaW5ncyI6ICI7QUFBdVIsU0FBUyxvQkFBb0I7OztBQ0FFLFNBQVMsd0JBQXdCO0FBR3ZWLElBQU0sU0FBUztBQUFBLEVBQ2IsRUFBRSxNQUFNLFNBQVMsSUFBSSxXQUFXLElBQUksV0FBVyxPQUFPLFVBQVU7QUFBQSxFQUNoRSxFQUFFLE1BQU0sUUFBUSxJQUFJLFdBQVcsSUFBSSxXQUFXLE9BQU8sVUFBVTtBQUNqRTtBQU1PLFNBQVMsU0FBUyxVQUFrQztBQUN6RCxRQUFNLFFBQVEsU0FBUyxTQUFTLE1BQU07QUFDdEMsV0FBUyxTQUFTLE1BQU0sUUFBUSxDQUFDLFFBQVEsT0FBTyxTQUFTLEtBQUssU0FBUztBQUNyRSxVQUFNLFFBQVEsT0FBTyxLQUFLO0FBQzFCLFVBQU0sQ0FBQyxFQUFFLElBQUksSUFBSSxxQkFBcUIsS0FBSyxPQUFPLFFBQVEsRUFBRSxLQUFLLENBQUM7QUFDbEUsUUFBSSxVQUFVLFVBQWEsU0FBUztBQUNsQyxhQUFPLFFBQVEsUUFBUSxPQUFPLFNBQVMsS0FBSyxJQUFJLEtBQUssS0FBSyxZQUFZLFFBQVEsT0FBTyxPQUFPO0FBQzlGLFVBQU0sY0FBYyxTQUFTLE1BQU0sV0FBVyxTQUFTLEtBQUssWUFBWSxJQUFJO0FBQzVFLFVBQU0sV0FBVyxPQUFPO0FBQUEsTUFDdEIsQ0FBQyxFQUFFLE1BQU0sR0FBRyxPQUFPLE1BQ2pCLCtCQUErQixJQUFJLFVBQVUsV0FBVyxVQUFVLFFBQVEsUUFBUSxNQUFNLFNBQVMsTUFBTSxDQUFDLENBQUM7QUFBQSxJQUM3RztBQUNBLFdBQU8sdUJBQXVCLFNBQVMsS0FBSyxFQUFFLENBQUM7QUFBQTtBQUFBLEVBQ2pEO0FBQ0Y7QUFHQSxTQUFTLFFBQVEsUUFBZ0IsUUFBMkQ7QUFDMUYsU0FBTyxpQkFBaUIsUUFBUSxNQUFNLEVBQUUsV0FBVyxpQ0FBaUMsRUFBRTtBQUN4RjtBQUVBLElBQU0sVUFBVSxDQUFDLFFBQWdCLDZCQUE2QixPQUFPLEtBQUssR0FBRyxFQUFFLFNBQVMsUUFBUSxDQUFDOzs7QUMvQmpHLElBQU0sVUFDSjtBQUdLLFNBQVMsYUFBYSxVQUFrQztBQUM3RCxXQUFTLEtBQUssTUFBTSxLQUFLLGlCQUFpQixDQUFDLEVBQUUsT0FBTyxNQUFNO0FBQ3hELGVBQVcsRUFBRSxTQUFTLEtBQUssUUFBUTtBQUNqQyxVQUFJLFlBQVk7QUFDaEIsaUJBQVcsU0FBUyxZQUFZLENBQUMsR0FBRztBQUNsQyxZQUFJLE1BQU0sU0FBUyxZQUFhLGFBQVksUUFBUSxLQUFLLE9BQU8sTUFBTSxRQUFRLE1BQU0sQ0FBQyxDQUFDO0FBQ3RGLFlBQUksQ0FBQyxVQUFXO0FBQ2hCLFlBQUksTUFBTSxTQUFTLGFBQWE7QUFDOUIsZ0JBQU0sT0FBTztBQUNiLGdCQUFNLE1BQU07QUFDWixnQkFBTSxRQUFRO0FBQUEsUUFDaEIsV0FBVyxNQUFNLFNBQVMsY0FBYztBQUN0QyxnQkFBTSxPQUFPO0FBQ2IsZ0JBQU0sTUFBTTtBQUNaLHNCQUFZO0FBQUEsUUFDZDtBQUFBLE1BQ0Y7QUFBQSxJQUNGO0FBQUEsRUFDRixDQUFDO0FBQ0g7OztBQ3pCeVIsU0FBUyxhQUFhLG9CQUFvQjtBQUNuVSxTQUFTLHFCQUFxQjtBQURnSixJQUFNLDJDQUEyQztBQUkvTixJQUFNLE9BQU8sY0FBYyxJQUFJLElBQUksTUFBTSx3Q0FBZSxDQUFDO0FBR2xELFNBQVMsVUFBc0M7QUFDcEQsU0FBTztBQUFBLElBQ0w7QUFBQSxNQUNFLE1BQU07QUFBQSxNQUNOLE9BQU87QUFBQSxRQUNMLEVBQUUsTUFBTSxtQkFBbUIsTUFBTSwwQkFBMEI7QUFBQSxRQUMzRCxFQUFFLE1BQU0sZUFBZSxNQUFNLHNCQUFzQjtBQUFBLFFBQ25ELEVBQUUsTUFBTSxtQkFBbUIsTUFBTSxrQkFBa0I7QUFBQSxRQUNuRCxFQUFFLE1BQU0sVUFBVSxNQUFNLGlCQUFpQjtBQUFBLFFBQ3pDLEVBQUUsTUFBTSxZQUFZLE1BQU0sbUJBQW1CO0FBQUEsUUFDN0MsRUFBRSxNQUFNLGNBQWMsTUFBTSxjQUFjO0FBQUEsTUFDNUM7QUFBQSxJQUNGO0FBQUEsSUFDQTtBQUFBLE1BQ0UsTUFBTTtBQUFBLE1BQ04sT0FBTztBQUFBLFFBQ0wsRUFBRSxNQUFNLGNBQWMsTUFBTSxxQkFBcUI7QUFBQSxRQUNqRCxFQUFFLE1BQU0sY0FBYyxNQUFNLGlCQUFpQjtBQUFBLFFBQzdDLEVBQUUsTUFBTSxnQkFBZ0IsTUFBTSxlQUFlO0FBQUEsUUFDN0MsRUFBRSxNQUFNLHNCQUFzQixNQUFNLGlCQUFpQjtBQUFBLFFBQ3JELEVBQUUsTUFBTSxvQkFBb0IsTUFBTSwyQkFBMkI7QUFBQSxRQUM3RCxFQUFFLE1BQU0sVUFBVSxNQUFNLGlCQUFpQjtBQUFBLFFBQ3pDLEVBQUUsTUFBTSxhQUFhLE1BQU0sZ0JBQWdCO0FBQUEsUUFDM0MsRUFBRSxNQUFNLHNCQUFzQixNQUFNLGlCQUFpQjtBQUFBLE1BQ3ZEO0FBQUEsSUFDRjtBQUFBLElBQ0E7QUFBQSxNQUNFLE1BQU07QUFBQSxNQUNOLE9BQU87QUFBQSxRQUNMLEVBQUUsTUFBTSxPQUFPLE1BQU0saUJBQWlCO0FBQUEsUUFDdEMsRUFBRSxNQUFNLGlCQUFpQixNQUFNLDJCQUEyQjtBQUFBLFFBQzFELEVBQUUsTUFBTSxZQUFZLE1BQU0sb0JBQW9CO0FBQUEsUUFDOUMsRUFBRSxNQUFNLFVBQVUsTUFBTSxXQUFXO0FBQUEsTUFDckM7QUFBQSxJQUNGO0FBQUEsSUFDQTtBQUFBLE1BQ0UsTUFBTTtBQUFBLE1BQ04sT0FBTztBQUFBLFFBQ0wsRUFBRSxNQUFNLGdCQUFnQixNQUFNLGdCQUFnQjtBQUFBLFFBQzlDLEVBQUUsTUFBTSxnQkFBZ0IsTUFBTSxnQkFBZ0I7QUFBQSxRQUM5QyxFQUFFLE1BQU0sYUFBYSxNQUFNLGVBQWUsV0FBVyxNQUFNLE9BQU8sUUFBUSxXQUFXLEVBQUU7QUFBQSxRQUN2RixFQUFFLE1BQU0sZ0JBQWdCLFdBQVcsTUFBTSxPQUFPLFFBQVEsUUFBUSxFQUFFO0FBQUEsTUFDcEU7QUFBQSxJQUNGO0FBQUEsRUFDRjtBQUNGO0FBRUEsU0FBUyxRQUFRLFFBQTRDO0FBQzNELFNBQU8sWUFBWSxHQUFHLElBQUksSUFBSSxNQUFNLEVBQUUsRUFDbkMsT0FBTyxDQUFDLFNBQVMsS0FBSyxTQUFTLEtBQUssS0FBSyxTQUFTLFdBQVcsRUFDN0QsS0FBSyxFQUNMLElBQUksQ0FBQyxVQUFVLEVBQUUsTUFBTSxRQUFRLEdBQUcsSUFBSSxJQUFJLE1BQU0sSUFBSSxJQUFJLEVBQUUsR0FBRyxNQUFNLElBQUksTUFBTSxJQUFJLEtBQUssTUFBTSxHQUFHLEVBQUUsQ0FBQyxHQUFHLEVBQUU7QUFDNUc7QUFFQSxJQUFNLFVBQVUsQ0FBQyxTQUFpQixZQUFZLEtBQUssYUFBYSxNQUFNLE1BQU0sQ0FBQyxJQUFJLENBQUMsS0FBSzs7O0FIdkR2RixJQUFPLGlCQUFRLGFBQWE7QUFBQSxFQUMxQixPQUFPO0FBQUEsRUFDUCxhQUFhO0FBQUEsRUFDYixNQUFNO0FBQUEsRUFDTixXQUFXO0FBQUEsRUFDWCxVQUFVLEVBQUUsdUJBQXVCLHFCQUFxQjtBQUFBO0FBQUEsRUFFeEQsUUFBUSxFQUFFLGVBQWUsTUFBTTtBQUFBLEVBQy9CLFVBQVU7QUFBQSxFQUNWLE1BQU0sQ0FBQyxDQUFDLFFBQVEsRUFBRSxLQUFLLFFBQVEsTUFBTSxTQUFTLENBQUMsQ0FBQztBQUFBLEVBQ2hELFVBQVU7QUFBQSxJQUNSLE9BQU8sRUFBRSxPQUFPLGdCQUFnQixNQUFNLGNBQWM7QUFBQSxJQUNwRCxPQUFPLFVBQVU7QUFDZixlQUFTLElBQUksWUFBWSxFQUFFLElBQUksUUFBUTtBQUFBLElBQ3pDO0FBQUEsRUFDRjtBQUFBLEVBQ0EsYUFBYTtBQUFBLElBQ1gsS0FBSztBQUFBLE1BQ0gsRUFBRSxNQUFNLFVBQVUsTUFBTSwyQkFBMkIsYUFBYSxXQUFXO0FBQUEsTUFDM0U7QUFBQSxRQUNFLE1BQU07QUFBQSxRQUNOLE1BQU07QUFBQSxRQUNOLGFBQWE7QUFBQSxNQUNmO0FBQUEsTUFDQSxFQUFFLE1BQU0sYUFBYSxNQUFNLGtCQUFrQixhQUFhLHVCQUF1QjtBQUFBLElBQ25GO0FBQUEsSUFDQSxTQUFTLFFBQVE7QUFBQSxJQUNqQixTQUFTLENBQUMsR0FBRyxDQUFDO0FBQUEsSUFDZCxRQUFRLEVBQUUsVUFBVSxRQUFRO0FBQUEsSUFDNUIsV0FBVyxFQUFFLE1BQU0sWUFBWSxNQUFNLE9BQU87QUFBQSxFQUM5QztBQUNGLENBQUM7IiwKICAibmFtZXMiOiBbXQp9Cg==
