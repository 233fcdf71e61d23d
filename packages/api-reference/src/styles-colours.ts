/** Every colour, by light and by dark. Text has a contrast of at least 4.5 : 1 on what it stands on. */
export const colours = `
:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --side: #fafafb;
  --panel: #f6f7f9;
  --line: #e6e8ec;
  --line-strong: #d3d7de;
  --text: #1d2129;
  --strong: #0c0f14;
  --quiet: #5c6370;
  --accent: #4046c9;
  --accent-ground: #eef0fe;
  --required: #a8480b;
  --get: #0a6b45; --get-ground: #e3f5ec;
  --post: #2452c4; --post-ground: #e8effd;
  --patch: #8a4b05; --patch-ground: #fcf0dc;
  --delete: #b3243a; --delete-ground: #fdebee;
  --json-name: #2b3350;
  --json-string: #0a6b45;
  --json-number: #9a4308;
  --json-word: #6b3fc0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101216;
    --side: #13151a;
    --panel: #171a20;
    --line: #242830;
    --line-strong: #363c47;
    --text: #d5d9e0;
    --strong: #f2f4f7;
    --quiet: #969eac;
    --accent: #a3a9ff;
    --accent-ground: #1f2140;
    --required: #f0a267;
    --get: #63d3a1; --get-ground: #11291f;
    --post: #8fb2ff; --post-ground: #18233d;
    --patch: #ecb765; --patch-ground: #2d2313;
    --delete: #ff949f; --delete-ground: #35191e;
    --json-name: #c5cdf0;
    --json-string: #7fd1a8;
    --json-number: #f0b07a;
    --json-word: #c4a7fb;
  }
}
`;
