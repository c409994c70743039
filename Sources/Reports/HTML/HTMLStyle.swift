/// How pages look. Colours are named by what they mean and given twice, for light and for dark.
enum HTMLStyle {
    static let sheet: StaticString = """

        :root {
          --page: #f4f6f9; --card: #fff; --ink: #19212c; --soft: #566072; --rule: #dde2e9;
          --bar: #3462c8; --lost: #f1c7b5; --loss: #a8401a; --track: #eef1f5; --mark: #19212c; --volume: #c3d0ea; --area: #3462c81f;
          --flow: #3462c833; --end: #8b95a3; --edge: #19212c33;
          --c2: #b85400; --c3: #157a57; --c4: #8a3fa0; --c5: #c02f4a; --c6: #5b6472;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #0e1218; --card: #171d26; --ink: #e7ebf1; --soft: #9ba7b7; --rule: #2b3441;
            --bar: #6f9dff; --lost: #74452f; --loss: #ffa37e; --track: #202834; --mark: #e7ebf1; --volume: #34466b; --area: #6f9dff26;
            --flow: #6f9dff40; --end: #77828f; --edge: #000c;
            --c2: #ffab57; --c3: #5fd0a5; --c4: #d59af0; --c5: #ff8aa0; --c6: #aab4c2;
          }
        }
        * { box-sizing: border-box; }
        html { color-scheme: light dark; -webkit-text-size-adjust: 100%; }
        body {
          margin: 0; background: var(--page); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", Arial, sans-serif;
        }
        header, main { max-width: 62rem; margin: 0 auto; padding: 0 1.5rem; }
        header { padding-top: 2.5rem; }
        h1, h2, h3 { line-height: 1.25; margin: 0; overflow-wrap: anywhere; text-wrap: balance; }
        h1 { font-size: 2rem; letter-spacing: -.015em; }
        section > h2 { font-size: 1.45rem; letter-spacing: -.01em; margin-bottom: 1rem; }
        figcaption :is(h2, h3), .facts :is(h2, h3) { font-size: 1rem; font-weight: 650; }
        .period { margin: .25rem 0 0; color: var(--soft); }
        nav ul { list-style: none; margin: 1.25rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; }
        nav li { display: flex; gap: .5rem; max-width: 100%; }
        nav a { color: inherit; text-decoration: none; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        nav a:hover { text-decoration: underline; }
        nav li { background: var(--card); border: 1px solid var(--rule); border-radius: 1rem; padding: .2rem .8rem; font-size: .9rem; }
        nav .figure { color: var(--soft); font-variant-numeric: tabular-nums; }
        .overview { margin: 1.25rem 0 0; font-size: 1rem; border-top: 1px solid var(--rule); }
        .overview th { color: inherit; font-size: 1rem; font-weight: 550; padding-inline-start: 0; overflow-wrap: anywhere; }
        .overview th, .overview td { padding-top: .5rem; padding-bottom: .5rem; vertical-align: middle; }
        .overview tr:last-child :is(th, td) { border-bottom: 1px solid var(--rule); }
        .overview a { color: inherit; text-decoration-color: var(--rule); text-underline-offset: .2em; }
        .overview .share { font-weight: 650; font-size: 1.25rem; color: var(--bar); text-align: end; font-variant-numeric: tabular-nums; }
        .overview .interval { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums; }
        .overview .change { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
        .overview .less { color: var(--loss); font-weight: 650; }
        .overview .more { font-weight: 650; }
        .overview .open { color: var(--soft); }
        .overview td.spark { text-align: end; width: 130px; }
        svg.spark { display: inline-block; vertical-align: middle; }
        .finding { margin: .5rem 0; padding: .5rem .9rem; background: var(--card); border-inline-start: 4px solid var(--loss); border-radius: .4rem; }
        .finding.none { border-color: var(--rule); color: var(--soft); }
        .finding a { color: inherit; text-underline-offset: .2em; }
        section { padding: 1.5rem 0 2.5rem; }
        section + section { border-top: 1px solid var(--rule); padding-top: 2.5rem; }
        .kind-funnel + .kind-trend { border-top: 0; padding-top: 0; }
        .highlights { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 0 0 1rem; }
        .highlights div, figure { background: var(--card); border: 1px solid var(--rule); border-radius: .75rem; }
        .highlights div { padding: .8rem 1.1rem; }
        .highlights dt { color: var(--soft); font-size: .85rem; }
        .highlights dd { margin: 0; font-size: 1.35rem; font-weight: 650; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
        .highlights div:first-child dd { color: var(--bar); }
        .remark { margin: .25rem 0; color: var(--soft); }
        figure { margin: 1.25rem 0 0; padding: 1.25rem 1.5rem; }
        figcaption { margin-bottom: 1rem; }
        svg { display: block; overflow: visible; font: inherit; }
        svg.chart { margin-bottom: 1.25rem; }
        svg text { fill: var(--ink); font-size: 14px; font-variant-numeric: tabular-nums; }
        svg .name { font-weight: 550; }
        svg .name, svg .value { white-space: pre; }
        svg .narrow { display: none; }
        svg .value { fill: var(--soft); }
        svg .strong { font-weight: 650; fill: var(--ink); }
        svg .small { font-size: 12.5px; fill: var(--soft); }
        svg .small.strong { fill: var(--ink); }
        svg .loss { fill: var(--loss); }
        svg .halo { paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
        svg .bar, svg .dot, svg .node { fill: var(--bar); }
        svg .lost { fill: var(--lost); }
        svg .track, svg .unknown { fill: var(--track); }
        svg .unknown { fill-opacity: .6; }
        svg .cell { font-size: 12.5px; }
        svg .volume { fill: var(--volume); }
        svg .area { fill: var(--area); }
        svg .line { fill: none; stroke: var(--bar); stroke-width: 2.5px; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
        svg .dot { stroke: var(--card); stroke-width: 1.5px; }
        svg .key.c1 { fill: var(--bar); }
        svg .line.c2 { stroke: var(--c2); } svg .dot.c2, svg .key.c2 { fill: var(--c2); }
        svg .line.c3 { stroke: var(--c3); } svg .dot.c3, svg .key.c3 { fill: var(--c3); }
        svg .line.c4 { stroke: var(--c4); } svg .dot.c4, svg .key.c4 { fill: var(--c4); }
        svg .line.c5 { stroke: var(--c5); } svg .dot.c5, svg .key.c5 { fill: var(--c5); }
        svg .line.c6 { stroke: var(--c6); } svg .dot.c6, svg .key.c6 { fill: var(--c6); }
        svg .line.faint { stroke: var(--end); stroke-width: 2px; } svg .dot.faint, svg .key.faint { fill: var(--end); }
        svg .line.open { stroke-dasharray: 1 6; stroke-linecap: round; }
        svg .dot.open { fill: var(--card); stroke: var(--bar); stroke-width: 2px; }
        svg .dot.open.c2 { stroke: var(--c2); } svg .dot.open.c3 { stroke: var(--c3); } svg .dot.open.c4 { stroke: var(--c4); }
        svg .dot.open.c5 { stroke: var(--c5); } svg .dot.open.c6 { stroke: var(--c6); } svg .dot.open.faint { stroke: var(--end); }
        svg .axis { stroke: var(--soft); stroke-width: 1px; }
        svg .grid { stroke: var(--rule); stroke-width: 1px; }
        svg .mark { stroke: var(--mark); stroke-width: 1px; stroke-dasharray: 3 3; }
        svg .flow { fill: var(--flow); }
        svg .flow.end, svg .node.end { fill: var(--end); }
        svg .flow.end { opacity: .3; }
        .scroll {
          overflow-x: auto;
          background:
            linear-gradient(to right, var(--card) 40%, transparent) 0 0 / 3rem 100% no-repeat local,
            linear-gradient(to left, var(--card) 40%, transparent) 100% 0 / 3rem 100% no-repeat local,
            linear-gradient(to right, var(--edge), transparent) 0 0 / 1rem 100% no-repeat scroll,
            linear-gradient(to left, var(--edge), transparent) 100% 0 / 1rem 100% no-repeat scroll;
        }
        @media (min-width: 66rem) {
          figure.wide { margin-inline: calc((min(100vw - 3rem, 90rem) - 59rem) / -2); }
          .wide table { font-size: .85rem; }
          .wide :is(th, td) { padding-inline: .5rem; }
          .wide td.data { min-width: 8rem; }
        }
        .wide-chart svg { min-width: 36rem; }
        .scroll:focus-visible { outline: 2px solid var(--bar); outline-offset: 3px; }
        table { border-collapse: collapse; width: 100%; font-size: .9rem; }
        caption { text-align: start; color: var(--soft); font-size: .85rem; padding-bottom: .35rem; }
        th, td { padding: .4rem .6rem; text-align: start; vertical-align: baseline; border-bottom: 1px solid var(--rule); }
        th:first-child, td:first-child { padding-inline-start: 0; }
        th:last-child, td:last-child { padding-inline-end: 0; }
        tr:last-child td { border-bottom: 0; }
        th { color: var(--soft); font-weight: 600; font-size: .85rem; }
        th.number { white-space: nowrap; }
        td.data { overflow-wrap: anywhere; min-width: 12rem; }
        td.words { white-space: nowrap; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .facts dd.alarm, .highlights div dd.alarm { color: var(--loss); font-weight: 650; }
        .dense td { padding-top: .15rem; padding-bottom: .15rem; }
        .long { max-height: 32rem; overflow-y: auto; }
        .long thead th { position: sticky; top: 0; background: var(--card); }
        td.number { white-space: nowrap; }
        .number { text-align: end; font-variant-numeric: tabular-nums; }
        section > footer { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1.5rem 2.5rem; margin-top: 1.75rem; }
        .facts dl { margin: .5rem 0 0; font-size: .875rem; }
        .facts dl div { display: flex; gap: .75rem; padding: .15rem 0; }
        .facts dt { color: var(--soft); flex: 0 0 9.5rem; }
        .facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
        @media (max-width: 40rem) {
          .overview :is(.interval, .spark) { display: none; }
          .overview .change { white-space: normal; }
          .overview th { min-width: 6rem; }
          .overview :is(th, td) { padding-inline: .4rem; }
          header, main { padding-left: 1rem; padding-right: 1rem; }
          header { padding-top: 1.5rem; }
          h1 { font-size: 1.6rem; }
          figure { padding: 1rem; }
          .highlights { grid-template-columns: repeat(2, 1fr); }
          .facts dt { flex-basis: 8rem; }
          svg .wide { display: none; }
          svg .narrow { display: initial; }
          section > footer { grid-template-columns: 1fr; }
        }
        @media (max-width: 24rem) {
          figure { padding: .75rem; }
          svg text { font-size: 12.5px; }
          svg .small { font-size: 11px; }
          svg .small.narrow { display: none; }
        }
        @media print {
          :root {
            --page: #fff; --card: #fff; --ink: #000; --soft: #444; --rule: #bbb;
            --bar: #3462c8; --lost: #f1c7b5; --loss: #8a3010; --track: #eef1f5; --mark: #000; --volume: #c3d0ea; --area: #3462c81f;
            --flow: #3462c833; --end: #8b95a3;
            --c2: #b85400; --c3: #157a57; --c4: #8a3fa0; --c5: #c02f4a; --c6: #5b6472;
          }
          * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
          body { font-size: 10.5pt; }
          header, main { max-width: none; padding: 0; }
          nav { display: none; }
          /* The first funnel stands below the overview, each other one begins a page; the pictures do without their tables. */
          .kind-funnel, .kind-trend { zoom: .62; }
          /* A dozen groups stand on the funnel's page, too. */
          .kind-funnel:has(tbody tr:nth-child(10)) { zoom: .55; }
          .kind-events, .kind-retention, .kind-why, .kind-ending { zoom: .75; }
          section { padding: 0; }
          section + section { border-top: 0; padding-top: 1rem; }
          section.kind-funnel { break-before: page; }
          main > section.kind-funnel:first-child { break-before: auto; padding-top: 1rem; }
          .kind-ending { break-before: page; }
          .kind-funnel figure:nth-of-type(n + 2) svg + .scroll, .kind-trend svg + .scroll, .kind-events svg + .scroll { display: none; }
          /* What has a picture stands two in a row; names are cut as on a narrow page. */
          .kind-funnel figure:nth-of-type(n + 2):has(svg), .kind-trend figure { display: inline-block; width: calc(50% - .4rem); vertical-align: top; }
          :is(.kind-funnel figure:nth-of-type(n + 2), .kind-trend figure) svg .wide { display: none; }
          :is(.kind-funnel figure:nth-of-type(n + 2), .kind-trend figure) svg .narrow { display: initial; }
          .kind-trend :is(.highlights, .remark) { display: none; }
          .kind-trend > h2 { margin-top: 1rem; }
          .overview { font-size: 10.5pt; }
          .scroll { background: none; }
          figure { padding: .75rem 1rem; }
          svg.chart, tr, .highlights, .facts dl div { break-inside: avoid; }
          figcaption, h1, h2, h3, caption { break-after: avoid; }
          .scroll { overflow: visible; max-height: none; }
          table { font-size: 8.5pt; }
          th { font-size: 8pt; }
          th, td { padding: .25rem .35rem; }
          th.number, td.words { white-space: normal; }
          td.data { min-width: 6rem; }
        }
        @page { margin: 15mm; }

        """
}
