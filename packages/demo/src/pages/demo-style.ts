/** The style sheet of the pages. Its colours are those of the reference at `/docs`. */
export const demoStyle = `:root {
  color-scheme: light dark;
  --ground: #fbfbfd;
  --raised: #ffffff;
  --line: #e5e8ee;
  --line-strong: #cfd5de;
  --text: #3c4257;
  --strong: #1a1f36;
  --quiet: #5f6780;
  --accent: #4b45d6;
  --on-accent: #ffffff;
  --accent-ground: #eeeefe;
  --good: #0a6b45;
  --good-ground: #e2f6ec;
  --bad: #b3243a;
  --bad-ground: #fdebee;
  --shadow: 0 8px 30px rgb(26 31 54 / 0.1), 0 1px 3px rgb(26 31 54 / 0.08);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1117;
    --raised: #1a1d26;
    --line: #252a36;
    --line-strong: #3a4152;
    --text: #c3cad9;
    --strong: #f3f5fa;
    --quiet: #949db3;
    --accent: #a5a3ff;
    --on-accent: #0f1117;
    --accent-ground: #22233f;
    --good: #63d3a1;
    --good-ground: #11291f;
    --bad: #ff949f;
    --bad-ground: #35191e;
    --shadow: 0 8px 30px rgb(0 0 0 / 0.5), 0 1px 3px rgb(0 0 0 / 0.4);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  padding: clamp(1rem, 8vh, 6rem) 1rem 2rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main, footer { max-width: 28rem; margin: 0 auto; }
main {
  padding: clamp(1.25rem, 5vw, 2rem);
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 12px;
  box-shadow: var(--shadow);
}
footer { padding: 1rem clamp(1.25rem, 5vw, 2rem); color: var(--quiet); font-size: 0.8125rem; }
h1 { margin: 0.75rem 0 0.5rem; color: var(--strong); font-size: 1.5rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0 0 1rem; }
.badge {
  display: inline-block;
  margin: 0;
  padding: 0.125rem 0.625rem;
  border-radius: 999px;
  background: var(--accent-ground);
  color: var(--accent);
  font-size: 0.8125rem;
  font-weight: 600;
}
dl { margin: 0 0 1.25rem; border-top: 1px solid var(--line); }
dl div {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 0 1rem;
  padding: 0.625rem 0;
  border-bottom: 1px solid var(--line);
}
dt { color: var(--quiet); }
dd { margin: 0; color: var(--strong); font-weight: 600; overflow-wrap: anywhere; }
form { display: flex; flex-direction: column; gap: 0.625rem; }
.button {
  display: block;
  width: 100%;
  min-height: 2.75rem;
  padding: 0.625rem 1rem;
  border: 1px solid var(--line-strong);
  border-radius: 8px;
  background: transparent;
  color: var(--strong);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button:hover { border-color: var(--accent); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.result { padding: 0.75rem 1rem; border-radius: 8px; background: var(--accent-ground); color: var(--strong); font-weight: 600; }
.result.good { background: var(--good-ground); color: var(--good); }
.result.bad { background: var(--bad-ground); color: var(--bad); }
main > :last-child { margin-bottom: 0; }
`;
